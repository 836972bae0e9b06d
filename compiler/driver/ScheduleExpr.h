#pragma once
// Expressions in a schedule, read by the compiler's own front end.

#include <functional>

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::driver {

/// Reads how important a vertex of `program` is: an expression over degrees and vertex inputs, of
/// type float64, in which the vertex is `self` as in initial values. It answers for a place in a
/// source, as passes::ExpressionReader says. Program and diagnostics must live as long as it.
std::function<vertigo::ir::ExprPtr(SourceRange)> importance_reader(
    const vertigo::ir::Program& program, diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
