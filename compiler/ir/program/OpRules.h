#pragma once
// What is code about an operator: the value that it computes of literals, and between which numbers
// its results lie. One struct an operator in OpRules.cpp holds both.

#include <optional>
#include <span>

#include "compiler/ir/program/Expr.h"

namespace vertigo::ir {

/// The value of `op` for literals of one type, as docs/language.md defines it; of wide64 in
/// float64. Nothing where the operator does not take the type, or is no operator on scalars.
std::optional<LiteralValue> value_of(Op op, ScalarKind kind,
                                     std::span<const LiteralValue> operands);

/// Every value is in [low, high], or no number.
struct Range {
  double low;
  double high;
};

/// The whole line.
Range any_number();

/// Of a type: all its values. Tuples and bool have the range of the whole line.
Range range_of(const Type& type);

/// `range` holds the exact results: that of the results once they are rounded to the type and stop
/// at its ends.
Range rounded(Range range, const Type& type);

/// Of an operator's results, where its operands (one: both) are numbers of these ranges.
Range range_of(const Expr& expr, Range a, Range b);

}  // namespace vertigo::ir
