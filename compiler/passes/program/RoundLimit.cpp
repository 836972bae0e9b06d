#include "compiler/passes/program/RoundLimit.h"

#include <map>
#include <optional>
#include <utility>

#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

/// Whether the rounds leave it as it is, and no vertex is asked.
bool is_given(const Expr& expr, const RelaxationRound& round) {
  return !has_node(expr, [&](const Expr& node) {
    return node.op == Op::State || ir::is_reduction(node.op) || node.op == Op::ExternCall ||
           (node.op == Op::HostVariable && round.assigned.contains(node.symbol));
  });
}

ExprPtr plus(const Expr& expr, std::int64_t number) {
  if (number == 0) return expr.clone();
  ExprPtr more = leaf(Op::Literal, expr.type);
  more->value = number;
  return simplified(*operation(Op::Add, expr.type, expr.clone(), std::move(more)));
}

/// Of a condition that holds after a round: how many rounds there are before it fails. Null where
/// it is no comparison of a counter.
ExprPtr limit_in(const Expr& part, const RelaxationRound& round, const RoundNumbers& numbers) {
  const bool rises = part.op == Op::Less || part.op == Op::LessEqual;
  if (!rises && part.op != Op::Greater && part.op != Op::GreaterEqual) return nullptr;
  const auto ahead = numbers.ahead(*part.operands[rises ? 0 : 1]);
  const Expr& bound = *part.operands[rises ? 1 : 0];
  if (!ahead || !is_given(bound, round) || !ir::is_signed_integer(bound.type.scalar()))
    return nullptr;
  const bool with_bound = part.op == Op::LessEqual || part.op == Op::GreaterEqual;
  return plus(bound, (with_bound ? 2 : 1) - *ahead);
}

/// k where `expr` is the number of vertices plus k.
std::optional<std::int64_t> beyond_vertices(const Expr& expr) {
  const auto part = [&](std::size_t i) { return beyond_vertices(*expr.operands[i]); };
  const auto number = [&](std::size_t i) { return ir::integer_of(*expr.operands[i]); };
  switch (expr.op) {
    case Op::VertexCount:
      return 0;
    case Op::Cast:
      return part(0);
    case Op::Add:
      if (part(0) && number(1)) return *part(0) + *number(1);
      return part(1) && number(0) ? std::optional(*part(1) + *number(0)) : std::nullopt;
    case Op::Subtract:
      return part(0) && number(1) ? std::optional(*part(0) - *number(1)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

RoundNumbers counters_of(const RelaxationRound& round, const VariableAtBegin& at_begin) {
  std::map<std::string, std::int64_t> counters;
  for (const auto& [name, value] : round.host) {
    if (RoundNumbers({{name, 0}}).ahead(*value) != 1 || round.declared.contains(name)) continue;
    const ExprPtr begins = at_begin(name);
    const auto number = begins ? ir::integer_of(*begins) : std::nullopt;
    // What is far from 0 is no counter, as it may come to the end of its type.
    if (number && RoundNumbers::is_small(*number)) counters[name] = *number;
  }
  return RoundNumbers(std::move(counters));
}

void take_limit(RelaxationRound& round, const VariableAtBegin& at_begin) {
  if (!round.condition || round.condition->op != Op::And) return;
  const RoundNumbers numbers = counters_of(round, at_begin);
  ExprPtr others, limit;
  for (const Expr* part : conjuncts(*round.condition)) {
    ExprPtr found = limit ? nullptr : limit_in(*part, round, numbers);
    if (found)
      limit = std::move(found);
    else
      others = ir::both(std::move(others), part->clone());
  }
  if (!limit || !others) return;
  round.limit = std::move(limit);
  round.condition = std::move(others);
}

bool is_longest_way(const Expr& limit) {
  const auto beyond = beyond_vertices(limit);
  return beyond && *beyond >= -1;
}

}  // namespace vertigo::compiler::passes
