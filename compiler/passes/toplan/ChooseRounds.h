#pragma once
// choose-rounds
//
// Does: decides which loops of the host level run in one launch, and names them in Plan::rounds. A
// loop does whose rounds ask the host for nothing: no report, no phase that the host watches or
// starts. Of loops inside each other the outermost that can.
// Needs: the variants' actions and kernels.
// Guarantees: whatever such a loop runs can be chained by barriers.
// Why here: after build-kernels, because it depends on what they do.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_rounds(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
