#pragma once
// The one rule by which two results of a program agree; docs/language.md states it. Schedules are
// compared by it, and results with the interpreter's.

#include "vertigo/core/value.h"

namespace vertigo {

/// Two columns of the same kind, vertex by vertex. Exact kinds agree where they are equal. Floating
/// values agree where they differ by at most `tolerance` times the largest finite magnitude in
/// `expected`, rounding aside: what an iteration holds back at a vertex is in proportion to what it
/// started with, not to the value that the vertex ends up with. Values of wide64 may be thousands
/// of powers of two apart, so each is compared by the larger of the two.
class ColumnAgreement {
 public:
  ColumnAgreement(const Column& expected, const Column& actual, double tolerance);
  bool at(Vertex v) const;

 private:
  const Column& expected_;
  const Column& actual_;
  double tolerance_;
  double allowed_ = 0;  ///< of float32 and float64
};

/// Scalar results: by the larger of the two.
bool values_agree(const Value& expected, const Value& actual, double tolerance);

/// The tolerance of floating scalar results: the largest among the outputs', or where these are
/// exact a default.
double report_tolerance(double largest_of_outputs);

}  // namespace vertigo
