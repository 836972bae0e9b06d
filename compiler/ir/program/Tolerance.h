#pragma once
// How far two right results of an output may differ.

#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

/// What the program states; else 1e-4 where an element is float32, 1e-9 for float64 and wide64, and
/// 0 where all elements are exact.
double tolerance_of(const Program& program, const Output& output);

}  // namespace vertigo::ir
