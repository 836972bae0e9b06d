#pragma once
// Between which numbers the values of an expression lie, whatever the input: `max(0, 64 - weight)`
// and `abs(weight - 10)` are never negative, `weight > 0 ? weight : 0` neither. Integers stop at
// the ends of their type; floating values are rounded, which keeps an order and the sign. What
// one operator does stands in ir/program/OpRules.h.

#include "compiler/ir/program/OpRules.h"
#include "compiler/passes/program/ExprProperties.h"

namespace vertigo::compiler::passes {

using ir::Range;

Range range_of(const ir::Expr& expr, const Surroundings& around);

/// The same, and inboxes are not negative where nothing that is put into them is: of `m * 2`, where
/// the program starts with 1 and sends `m * weight`. Reads the whole program for each inbox.
Range range_of_values(const ir::Expr& expr, const Surroundings& around);

}  // namespace vertigo::compiler::passes
