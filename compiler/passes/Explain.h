#pragma once
// `--explain`: what every pass found out and decided, why, and how to overrule it.

#include "compiler/ir/plan/Plan.h"
#include "llvm/Support/raw_ostream.h"

namespace vertigo::compiler::passes {

/// Grouped by phase, then the choices for the whole program.
void explain(const plan::Plan& plan, llvm::raw_ostream& out);

}  // namespace vertigo::compiler::passes
