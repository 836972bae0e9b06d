#pragma once
// Between which numbers the values of an expression lie, whatever the input: `max(0, 64 - weight)`
// and `abs(weight - 10)` are never negative, `weight > 0 ? weight : 0` neither. Integers stop at
// the ends of their type; floating values are rounded, which keeps an order and the sign.

#include "compiler/passes/program/ExprProperties.h"

namespace vertigo::compiler::passes {

/// Every value is in [low, high], or no number.
struct Range {
  double low;
  double high;
};

/// Of a type: all its values. Tuples and bool have the range of the whole line.
Range range_of(const ir::Type& type);

Range range_of(const ir::Expr& expr, const Surroundings& around);

}  // namespace vertigo::compiler::passes
