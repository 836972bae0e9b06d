#include "compiler/lower/Lower.h"

#include <algorithm>

#include "compiler/ir/program/Spelling.h"
#include "compiler/lower/Lowering.h"

namespace vertigo::compiler::lower {

using ast::Decl;

ir::Program lower(const ast::Program& program, const diag::DiagnosticEngine& diagnostics) {
  return Lowering(program, diagnostics).run();
}

ir::ExprPtr lower_of_vertex(const ast::Expr& value, const diag::DiagnosticEngine& diagnostics) {
  const ast::Program none{};
  return Lowering(none, diagnostics).of_vertex(value);
}

ir::ExprPtr Lowering::of_vertex(const ast::Expr& value) {
  at_hand_ = "self";
  return expr(value);
}

namespace {

// Names of named phases, so that an unnamed one does not take one of them.
void collect_phases(const ast::Block& block, std::set<std::string>& names) {
  for (const ast::StmtPtr& stmt : block) {
    if (stmt->phase) names.insert(stmt->phase->decl.name.text);
    collect_phases(stmt->body, names);
    for (const ast::Branch& branch : stmt->branches) collect_phases(branch.body, names);
  }
}

}  // namespace

void Lowering::parameters() {
  for (const auto& each : source_.parameters) {
    ir::Parameter parameter;
    parameter.name = each->name.text;
    parameter.is_list = each->type.is_list();
    parameter.kind = parameter.is_list ? ir::ScalarKind::Vertex : each->type.elements[0];
    parameter.initial = optional(each->initial);
    parameter.location = location(each->range);
    result_.parameters.push_back(std::move(parameter));
  }
}

void Lowering::edges() {
  // One number alone is the weight that every format knows.
  const auto given = std::count_if(source_.edges.begin(), source_.edges.end(),
                                   [](const auto& each) { return !each->written; });
  for (const auto& each : source_.edges) {
    const ir::ScalarKind kind = each->type.elements[0];
    ir::ExprPtr initial = optional(each->initial);
    const ir::Location where = location(each->range);
    if (each->written)
      result_.edge_states.push_back({each->name.text, kind, std::move(initial), where});
    else if (given > 1 || kind == ir::ScalarKind::Bool)
      result_.edge_columns.push_back({each->name.text, kind, std::move(initial), where});
    else
      result_.edge = {each->name.text, kind, std::move(initial), where};
  }
}

void Lowering::states() {
  for (const auto& each : source_.states) {
    ir::State state;
    state.name = each->name.text;
    state.type = type(each->type);
    at_hand_ = "self";
    state.initial = expr(*each->initial);
    at_hand_.clear();
    state.is_input = each->kind == Decl::Kind::Input;
    state.location = location(each->range);
    result_.states.push_back(std::move(state));
  }
}

ir::ExprPtr Lowering::identity(const ast::Message& message) {
  if (message.initial) return expr(*message.initial);
  ir::Location where = location(message.combine.range);
  auto element = [&](ir::ScalarKind kind) {
    const std::string& word = message.combine.text;
    if (word == "max") return lowest(kind, where);
    if (word == "and") return all_bits(kind, where);
    if (word == "sum" || word == "or" || word == "xor") return literal(kind, 0, where);
    return infinity(kind, where);
  };
  if (message.type.is_scalar()) return element(message.type.elements[0]);
  ir::ExprPtr tuple = make(ir::Op::MakeTuple, type(message.type), where);
  for (ir::ScalarKind kind : message.type.elements) tuple->operands.push_back(element(kind));
  return tuple;
}

void Lowering::messages() {
  for (const auto& each : source_.messages) {
    ir::Message message;
    message.name = each->name.text;
    message.type = type(each->type);
    if (each->combine_function != nullptr) {
      message.combine = ir::Combine::Function;
      message.function = each->combine.text;
    } else {
      message.combine = *ir::find_combine(each->combine.text);
    }
    message.identity = identity(*each);
    message.keep = each->keep;
    message.location = location(each->range);
    result_.messages.push_back(std::move(message));
  }
}

// Callees stand before their callers.
void Lowering::function(const ast::Function& source, std::set<const ast::Function*>& done) {
  if (!done.insert(&source).second) return;
  if (source.body)
    ast::walk(*source.body, [&](const ast::Expr& node) {
      if (node.kind == ast::ExprKind::Call && node.decl != nullptr)
        function(static_cast<const ast::Function&>(*node.decl), done);
    });
  ir::Function result;
  result.name = source.name.text;
  for (const auto& parameter : source.parameters) {
    // What a header defines and the program does not declare has types alone.
    const std::string& name = parameter->name.text;
    const std::string number = std::to_string(result.parameters.size());
    result.parameters.push_back({name.empty() ? "x" + number : name, type(parameter->type)});
  }
  result.result = type(source.type);
  if (source.body)
    result.body = expr(*source.body);
  else
    result.header = source.header.empty() && !source_.uses.empty() ? source_.uses.front().header
                                                                   : source.header;
  result.location = location(source.range);
  result_.functions.push_back(std::move(result));
}

void Lowering::functions() {
  std::set<const ast::Function*> done;
  // Of what headers offer, what is called.
  for (const auto& each : source_.functions)
    if (each->name.range.valid() || each->read) function(*each, done);
}

void Lowering::requirements() {
  for (const ast::Requirement& each : source_.requirements) {
    ir::Requirement requirement;
    requirement.kind = each.name.text == "symmetric"      ? ir::RequirementKind::Symmetric
                       : each.name.text == "non_negative" ? ir::RequirementKind::NonNegativeWeights
                                                          : ir::RequirementKind::NoDuplicates;
    if (!result_.edge_columns.empty()) requirement.attribute = each.argument.text;
    requirement.reason = "stated by the program";
    requirement.location = location(each.range);
    result_.requirements.push_back(std::move(requirement));
  }
}

void Lowering::outputs() {
  for (const ast::Output& each : source_.outputs) {
    ir::Output output;
    output.state = each.name.text;
    output.location = location(each.name.range);
    if (each.tolerance)
      output.tolerance = each.tolerance->kind == ast::ExprKind::Float
                             ? each.tolerance->number
                             : static_cast<double>(each.tolerance->integer);
    result_.outputs.push_back(std::move(output));
  }
}

ir::Program Lowering::run() {
  result_.name = source_.name.text;
  result_.source_file = diagnostics_.source_name(source_.range.file).str();
  for (const auto& each : source_.parameters) taken_.insert(each->name.text);
  for (const auto& each : source_.edges) taken_.insert(each->name.text);
  for (const auto& each : source_.states) taken_.insert(each->name.text);
  for (const auto& each : source_.messages) taken_.insert(each->name.text);
  collect_phases(source_.body, phase_names_);
  parameters();
  edges();
  functions();
  states();
  messages();
  requirements();
  result_.body = block(source_.body);
  outputs();
  return std::move(result_);
}

}  // namespace vertigo::compiler::lower
