#include "compiler/emit/common/EngineText.h"

#include <algorithm>

#include "compiler/emit/common/ExprText.h"
#include "compiler/emit/common/KernelPrinter.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/common/TypeNames.h"

namespace vertigo::compiler::emit {

using ir::Op;

namespace {

bool reads_graph(Op op) {
  return op == Op::OutDegree || op == Op::InDegree || op == Op::VertexCount ||
         op == Op::EdgeCount || op == Op::Random || op == Op::CommonNeighbours;
}

// Statements of an operator; it is no kernel.
class StatementPrinter : private KernelPrinter {
 public:
  StatementPrinter(Writer& out, const plan::Plan& plan) : KernelPrinter(out, plan, options()) {}
  void print(const plan::Block& statements) { block(statements); }

 private:
  static const EmitOptions& options() {
    static const EmitOptions none;
    return none;
  }
  void open_kernel(const plan::Kernel&) override {}
  void close_kernel(const plan::Kernel&) override {}
};

}  // namespace

EngineText::EngineText(const plan::Plan& plan, const plan::PhasePlan& phase,
                       const plan::Variant& variant)
    : plan_(plan),
      engine_(*variant.engine),
      struct_(free_name(plan, type_of_phase(plan, phase.phase) + type_name(engine_.name))),
      object_(free_name(plan, phase.phase + "_" + engine_.name)) {
  collect_members();
}

void EngineText::collect_members() {
  const auto add = [&](const std::string& type, const std::string& name) {
    for (const Member& known : members_)
      if (known.name == name) return;
    members_.push_back({type, name});
  };
  for (const plan::Operator& each : engine_.operators)
    plan::walk_statements(each.body, [&](const plan::KernelStmt& stmt) {
      if (!stmt.buffer.empty())
        add(element_type(*plan_.find_buffer(stmt.buffer)) + "*", cpp_name(stmt.buffer));
    });
  const auto read = [&](const ir::Expr& e) {
    if (reads_graph(e.op)) add("Graph", "graph");
    if (e.op == Op::Load)
      add("const " + element_type(*plan_.find_buffer(e.symbol)) + "*", cpp_name(e.symbol));
    if (e.op == Op::Parameter || e.op == Op::HostVariable)
      add(cpp_type(e.type), cpp_name(e.symbol));
  };
  for (const plan::Operator& each : engine_.operators) {
    plan::walk_statements(each.body,
                          [&](const plan::KernelStmt& stmt) { plan::for_each_expr(stmt, read); });
    ir::walk(*each.value, read);
  }
}

namespace {

/// Whether the operator asks what only the device can answer: the edges of a vertex, an array.
bool needs_device(const plan::Operator& each) {
  bool found = !each.body.empty();
  ir::walk(*each.value, [&](const ir::Expr& e) {
    found = found || e.op == Op::OutDegree || e.op == Op::InDegree || e.op == Op::Random ||
            e.op == Op::CommonNeighbours || e.op == Op::Load;
  });
  return found;
}

}  // namespace

void EngineText::print_operators(Writer& out, const std::string& anywhere,
                                 const std::string& of_device) const {
  out.blank();
  out.comment("What engine " + engine_.name + " asks of the program.");
  out.open("struct " + struct_);
  for (const plan::OperatorConstant& constant : engine_.constants)
    out.line("static constexpr bool " + constant.name + " = " +
             (constant.value ? "true;" : "false;"));
  if (!engine_.inputs.empty()) {
    std::string names;
    for (const std::string& input : engine_.inputs)
      names += (names.empty() ? "" : ", ") + quoted(input);
    out.line("static constexpr const char* inputs[] = {" + names + "};");
  }
  if (!engine_.constants.empty() && !members_.empty()) out.blank();
  for (const Member& member : members_) out.line(member.type + " " + member.name + "{};");
  for (const plan::Operator& each : engine_.operators) {
    std::string parameters;
    for (const ir::FunctionParameter& parameter : each.parameters)
      parameters += (parameters.empty() ? "" : ", ") + cpp_type(parameter.type) + " " +
                    cpp_name(parameter.name);
    out.blank();
    out.open((needs_device(each) ? of_device : anywhere) + cpp_type(each.type) + " " + each.name +
             "(" + parameters + ") const");
    {
      const Origin origin(out, each.location);
      StatementPrinter(out, plan_).print(each.body);
      out.line("return " + expr_text(*each.value) + ";");
    }
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

std::string EngineText::arguments() const {
  std::string text;
  for (const std::string& buffer : engine_.buffers) text += ", " + cpp_name(buffer);
  if (!engine_.loop.empty())
    text += ", " + cpp_name(engine_.loop) + ", " + loop_end(plan_, engine_.loop);
  return text;
}

std::string EngineText::loop_end(const plan::Plan& plan, const std::string& variable) {
  return free_name(plan, variable + "_end");
}

std::vector<std::string> engines_of(const plan::Plan& plan) {
  std::vector<std::string> names;
  for (const plan::PhasePlan& phase : plan.phases)
    for (const plan::Variant& variant : phase.variants)
      if (variant.engine && std::ranges::find(names, variant.engine->name) == names.end())
        names.push_back(variant.engine->name);
  std::ranges::sort(names);
  return names;
}

}  // namespace vertigo::compiler::emit
