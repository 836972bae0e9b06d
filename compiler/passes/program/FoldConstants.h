#pragma once
// fold-constants
//
// Does: replaces what can be computed at compile time: `2 * 3` by `6`, `x * 1` by `x`, `inf < x` by
// `false`. Spells comparisons one way: `!(a >= b)` as `a < b`, `min(a, b) < b` as `a < b`, `x ==
// true` as `x`. What is made of one of several literals is one of their results.
// Needs: typed Program IR.
// Guarantees: the same values bit for bit on every target, with the language's saturating
// integers; what could trap, give NaN or depend on a mathematical library is left alone.
// Why here: first, so that the proofs see `inbox + 1` however it was written.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void fold_constants(ir::Program& program, PassContext& context);

/// A folded copy of one expression.
ir::ExprPtr folded_expr(const ir::Expr& expr);

/// Whether the expression is the largest (smallest) value that its type has, so that nothing is
/// above (below) it.
bool is_extreme(const ir::Expr& expr, bool largest);

}  // namespace vertigo::compiler::passes
