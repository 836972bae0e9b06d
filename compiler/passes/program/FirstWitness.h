#pragma once
// Questions that one neighbour may settle, asked so that the search ends there: `count(over in u
// where c) > 0` is `any(c over in u)`, and `min(e over in u) < k` is `any(e < k over in u)`.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// `expr` with every such comparison asked by `any`, or by its negation; null where it has none.
/// Minima and maxima are asked so where their type has no floating numbers, whose NaN a minimum
/// passes over.
ir::ExprPtr ask_for_witnesses(const ir::Expr& expr);

}  // namespace vertigo::compiler::passes
