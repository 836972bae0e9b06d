#pragma once
// What a script sees of an error: docs/errors.md, "Exit codes".

#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::driver {

/// Of the first error that was reported; 0 where there is none.
int exit_code(const diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::driver
