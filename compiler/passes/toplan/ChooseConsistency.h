#pragma once
// choose-consistency
//
// Does: decides per phase when a message is seen: after the step (sync), at once (async), or at
// once by one colour class after the other (coloured), so that neighbours never run together; and
// how many classes there are where the phase is coloured for its schedule's sake (colours).
// Needs: the order that infer-algebra proved.
// Guarantees: async is legal only where order freedom was proved or asserted; a phase that says
// `consistency serializable` is coloured.
// Why here: the timing narrows what a pull may read, so it comes before the direction.
// Source: SEP-Graph section 3; Frog for coloured execution; docs/semantics.md, rules 4 and 5.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_consistency(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
