#include "compiler/ir/program/Tolerance.h"

#include <algorithm>

namespace vertigo::ir {

double tolerance_of(const Program& program, const Output& output) {
  if (output.tolerance) return *output.tolerance;
  double tolerance = 0;
  for (const ScalarKind kind : program.find_state(output.state)->type.elements)
    if (is_float(kind)) tolerance = std::max(tolerance, kind == ScalarKind::Float32 ? 1e-4 : 1e-9);
  return tolerance;
}

}  // namespace vertigo::ir
