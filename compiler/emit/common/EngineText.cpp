#include "compiler/emit/common/EngineText.h"

#include <algorithm>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Op;

namespace {

bool reads_graph(Op op) {
  return op == Op::OutDegree || op == Op::InDegree || op == Op::VertexCount ||
         op == Op::EdgeCount || op == Op::Random;
}

}  // namespace

EngineText::EngineText(const plan::Plan& plan, const plan::PhasePlan& phase,
                       const plan::Variant& variant)
    : plan_(plan),
      engine_(*variant.engine),
      struct_(free_name(plan, type_name(phase.phase) + type_name(engine_.name))),
      object_(free_name(plan, phase.phase + "_" + engine_.name)) {
  const auto add = [&](const std::string& type, const std::string& name) {
    for (const Member& known : members_)
      if (known.name == name) return;
    members_.push_back({type, name});
  };
  for (const plan::Operator& each : engine_.operators)
    ir::walk(*each.value, [&](const ir::Expr& e) {
      if (reads_graph(e.op)) add("Graph", "graph");
      if (e.op == Op::Load)
        add("const " + element_type(*plan_.find_buffer(e.symbol)) + "*", cpp_name(e.symbol));
      if (e.op == Op::Parameter || e.op == Op::HostVariable)
        add(cpp_type(e.type), cpp_name(e.symbol));
    });
}

void EngineText::print_operators(Writer& out, const std::string& qualifier) const {
  out.blank();
  out.comment("What engine " + engine_.name + " asks of the program.");
  out.open("struct " + struct_);
  for (const Member& member : members_) out.line(member.type + " " + member.name + "{};");
  for (const plan::Operator& each : engine_.operators) {
    std::string parameters;
    for (const ir::FunctionParameter& parameter : each.parameters)
      parameters += (parameters.empty() ? "" : ", ") + cpp_type(parameter.type) + " " +
                    cpp_name(parameter.name);
    out.blank();
    out.open(qualifier + cpp_type(each.type) + " " + each.name + "(" + parameters + ") const");
    out.at(each.location);
    out.line("return " + expr_text(*each.value) + ";");
    out.at_generated();
    out.close();
  }
  out.close(";");
}

std::string EngineText::type() const { return engine_.name + "::Engine<" + struct_ + ", Graph>"; }

std::string EngineText::object() const { return object_; }

std::string EngineText::operators() const {
  std::string text = struct_ + "{";
  for (const Member& member : members_) text += (text.back() == '{' ? "" : ", ") + member.name;
  return text + "}";
}

std::string EngineText::buffers() const {
  std::string text;
  for (const std::string& buffer : engine_.buffers) text += ", " + cpp_name(buffer);
  return text;
}

std::vector<std::string> engines_of(const plan::Plan& plan) {
  std::vector<std::string> names;
  for (const plan::PhasePlan& phase : plan.phases)
    for (const plan::Variant& variant : phase.variants)
      if (variant.engine && std::ranges::find(names, variant.engine->name) == names.end())
        names.push_back(variant.engine->name);
  return names;
}

}  // namespace vertigo::compiler::emit
