#pragma once
// What a pass may use besides the IR: where it reports, and what the user pinned.

#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/passes/Schedule.h"

namespace vertigo::compiler::passes {

struct PassContext {
  diag::DiagnosticEngine& diagnostics;
  Schedule& schedule;
};

}  // namespace vertigo::compiler::passes
