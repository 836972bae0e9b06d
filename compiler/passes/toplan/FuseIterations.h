#pragma once
// fuse-iterations
//
// Does: decides per phase how many steps one launch covers.
// Needs: nothing but the phases.
// Guarantees: a limit of steps is kept exactly.
// Why here: it wraps the kernels of whatever variant runs.
// Source: SEP-Graph section 5.1.2.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void fuse_iterations(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
