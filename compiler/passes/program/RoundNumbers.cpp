#include "compiler/passes/program/RoundNumbers.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/RelaxationRound.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

using Number = std::optional<std::int64_t>;

/// More than any number of rounds.
constexpr std::int64_t kBeyond = std::int64_t{1} << 60;
/// Literals up to here do not carry a counter to the end of its type.
constexpr std::int64_t kSmall = std::int64_t{1} << 20;

bool is_integer(const Expr& expr) {
  return expr.type.is_scalar() && ir::is_integer(expr.type.scalar());
}

Number small_literal(const Expr& expr) {
  const Number number = ir::integer_of(expr);
  return number && RoundNumbers::is_small(*number) ? number : std::nullopt;
}

Number difference(Number a, Number b) { return a && b ? Number(*a - *b) : std::nullopt; }
Number larger(Number a, Number b) { return a && b ? std::max(a, b) : a ? a : b; }
Number smaller(Number a, Number b) { return a && b ? std::min(a, b) : a ? a : b; }

/// Whether `a op b`, where a - b lies between the bounds.
std::optional<bool> holds_between(Op op, Number least, Number most) {
  const bool may_be_less = !least || *least < 0, may_be_more = !most || *most > 0;
  const bool may_be_equal = (!least || *least <= 0) && (!most || *most >= 0);
  bool always = true, never = true;
  const auto look = [&](bool may_be, int order) {
    if (!may_be) return;
    always = always && ir::holds(op, order);
    never = never && !ir::holds(op, order);
  };
  look(may_be_less, -1);
  look(may_be_equal, 0);
  look(may_be_more, 1);
  return always ? std::optional(true) : never ? std::optional(false) : std::nullopt;
}

}  // namespace

bool RoundNumbers::is_small(std::int64_t number) { return number >= -kSmall && number <= kSmall; }

Number RoundNumbers::ahead(const Expr& expr) const {
  if (!is_integer(expr)) return std::nullopt;
  const auto part = [&](std::size_t i) { return ahead(*expr.operands[i]); };
  const auto literal = [&](std::size_t i) { return small_literal(*expr.operands[i]); };
  switch (expr.op) {
    case Op::HostVariable: {
      const auto counter = counters_.find(expr.symbol);
      return counter == counters_.end() ? std::nullopt : Number(counter->second);
    }
    case Op::Cast:
      return part(0) && (ir::is_signed_integer(expr.type.scalar()) || *part(0) >= 0) ? part(0)
                                                                                     : std::nullopt;
    case Op::Add:
      if (part(0) && literal(1)) return *part(0) + *literal(1);
      return part(1) && literal(0) ? Number(*part(1) + *literal(0)) : std::nullopt;
    case Op::Subtract:
      return part(0) && literal(1) ? Number(*part(0) - *literal(1)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

NumberBounds RoundNumbers::bounds(const Expr& expr, const BoundsOf& bounds_of) const {
  if (!is_integer(expr)) return {};
  if (is_extreme(expr, true)) return {kBeyond, {}, kBeyond, {}};
  if (const Number literal = ir::integer_of(expr)) return {literal, literal, {}, literal};
  if (const Number number = ahead(expr)) return {number, {}, number, number};
  return bounds_of(expr);
}

ExprPtr RoundNumbers::with_comparisons(const Expr& expr, const BoundsOf& bounds_of) const {
  ExprPtr made = expr.clone_without_operands();
  for (const ExprPtr& operand : expr.operands)
    made->operands.push_back(operand ? with_comparisons(*operand, bounds_of) : nullptr);
  if (!ir::info(made->op).is_comparison()) return made;
  const NumberBounds a = bounds(*made->operands[0], bounds_of);
  const NumberBounds b = bounds(*made->operands[1], bounds_of);
  const Number least = larger(difference(a.least, b.most), difference(a.least_ahead, b.most_ahead));
  const Number most = smaller(difference(a.most, b.least), difference(a.most_ahead, b.least_ahead));
  const auto holds = holds_between(made->op, least, most);
  return holds ? ir::boolean(*holds, expr.location) : std::move(made);
}

ExprPtr RoundNumbers::decided(const Expr& expr, const BoundsOf& bounds_of) const {
  // A choice that is decided may leave a comparison that is.
  ExprPtr made = simplified(*with_comparisons(expr, bounds_of));
  return simplified(*with_comparisons(*made, bounds_of));
}

}  // namespace vertigo::compiler::passes
