#pragma once
// choose-consistency
//
// Does: decides per phase when a message is seen: after the step (sync) or at once (async).
// Coloured execution, where neighbours never run together, has no target yet: phases that need it
// have no legal timing, and build-kernels refuses them.
// Needs: the order that infer-algebra proved.
// Guarantees: async is legal only where order freedom was proved or asserted.
// Why here: the timing narrows what a pull may read, so it comes before the direction.
// Source: SEP-Graph section 3; Frog for coloured execution; docs/semantics.md, rules 4 and 5.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

/// Why a phase that says `consistency serializable` has no legal timing.
inline constexpr const char* kColouredNotBuilt =
    "coloured execution runs only in the interpreter so far";

void choose_consistency(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
