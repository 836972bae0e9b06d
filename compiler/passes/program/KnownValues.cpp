#include "compiler/passes/program/KnownValues.h"

#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;

bool is_known(const Expr& expr) {
  return expr.op == Op::Literal || is_extreme(expr, true) || is_extreme(expr, false);
}

std::optional<bool> is_less(const Expr& a, const Expr& b) {
  if (!is_known(a) || !is_known(b)) return std::nullopt;
  if (a.op == Op::Literal && b.op == Op::Literal)
    return ir::boolean_of(*folded_expr(*comparison(Op::Less, a, b)));
  if (is_extreme(a, true) || is_extreme(b, false)) return false;
  const bool same_end = (is_extreme(a, false) && is_extreme(b, false)) ||
                        (is_extreme(a, true) && is_extreme(b, true));
  if (is_extreme(a, false) || is_extreme(b, true)) return !same_end;
  return std::nullopt;
}

std::optional<bool> is_equal(const Expr& a, const Expr& b) {
  if ((a.op == Op::BoundVertex && b.op == Op::NoVertex) ||
      (a.op == Op::NoVertex && b.op == Op::BoundVertex))
    return false;
  const auto less = is_less(a, b), more = is_less(b, a);
  return less && more ? std::optional(!*less && !*more) : std::nullopt;
}

}  // namespace vertigo::compiler::passes
