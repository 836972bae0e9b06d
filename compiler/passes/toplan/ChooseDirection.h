#pragma once
// choose-direction
//
// Does: decides per phase who moves a message: the sender into the inboxes of its neighbours
// (push, atomics), or the receiver out of its neighbours (pull, no atomics, reads edges
// backwards).
// Needs: the timing of choose-consistency; whether states tell what was sent (infer-algebra).
// Guarantees: a direction is legal where at least one legal timing can use it; list-variants
// drops the pairs that cannot be had (asynchronous pull without a payload that the state tells).
// Why here: after the timing: a synchronous pull reads what the activation saved, an asynchronous
// one reads states.
// Source: SEP-Graph Alg. 1 and 2.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_direction(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
