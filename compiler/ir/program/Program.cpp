#include "compiler/ir/program/Program.h"

#include <algorithm>

namespace vertigo::ir {

namespace {

ExprPtr clone_or_null(const ExprPtr& expr) { return expr ? expr->clone() : nullptr; }

}  // namespace

StmtPtr Stmt::clone() const {
  auto copy = std::make_unique<Stmt>();
  copy->kind = kind;
  copy->location = location;
  copy->symbol = symbol;
  copy->value = clone_or_null(value);
  copy->limit = clone_or_null(limit);
  copy->downward = downward;
  copy->direction = direction;
  copy->apart = apart;
  copy->neighbour = neighbour;
  copy->condition = clone_or_null(condition);
  copy->receiver = clone_or_null(receiver);
  for (const StmtPtr& stmt : body) copy->body.push_back(stmt->clone());
  for (const StmtPtr& stmt : otherwise) copy->otherwise.push_back(stmt->clone());
  return copy;
}

const State* Program::find_state(const std::string& name) const { return states.find(name); }
const EdgeState* Program::find_edge_state(const std::string& name) const {
  return edge_states.find(name);
}
const EdgeAttribute* Program::find_edge_attribute(const std::string& name) const {
  if (edge && edge->name == name) return &*edge;
  return edge_columns.find(name);
}

bool requires_nonnegative(const Program& program, const std::string& attribute) {
  const bool is_weight = program.edge && program.edge->name == attribute;
  return std::any_of(program.requirements.begin(), program.requirements.end(),
                     [&](const Requirement& each) {
                       return each.kind == RequirementKind::NonNegativeWeights &&
                              (is_weight || each.attribute == attribute);
                     });
}

bool requires_nonnegative(const Program& program) {
  if (program.edge) return requires_nonnegative(program, program.edge->name);
  bool any = false;
  for (const EdgeAttribute& each : program.edge_columns) {
    const bool signed_number = each.kind != ScalarKind::Bool && !is_unsigned_integer(each.kind);
    if (signed_number && !requires_nonnegative(program, each.name)) return false;
    any = any || signed_number;
  }
  return any;
}

Combine combine_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::Min:
      return Combine::Min;
    case Reduction::Max:
      return Combine::Max;
    case Reduction::Any:
    case Reduction::Or:
      return Combine::Or;
    case Reduction::All:
    case Reduction::And:
      return Combine::And;
    case Reduction::Xor:
      return Combine::Xor;
    default:
      return Combine::Sum;
  }
}

bool combines_bits(const Message& message) {
  const bool by_bit = message.combine == Combine::Or || message.combine == Combine::And ||
                      message.combine == Combine::Xor;
  return by_bit && message.type != Type(ScalarKind::Bool);
}

const Message* Program::find_message(const std::string& name) const { return messages.find(name); }
const Function* Program::find_function(const std::string& name) const {
  return functions.find(name);
}
const Phase* Program::find_phase(const std::string& name) const { return phases.find(name); }

std::vector<Fact> all_facts(const Phase& phase) {
  std::vector<Fact> facts = phase.facts;
  if (phase.algebra)
    for (Fact& fact : facts_of(*phase.algebra)) facts.push_back(std::move(fact));
  return facts;
}

const Algebra& algebra_of(const Phase& phase) {
  static const Algebra nothing_proved;
  return phase.algebra ? *phase.algebra : nothing_proved;
}

}  // namespace vertigo::ir
