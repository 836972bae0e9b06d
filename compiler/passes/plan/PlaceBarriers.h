#pragma once
// place-barriers
//
// Does: chains the steps of a phase's fused variants into one kernel: which parts it calls, where
// its threads wait for each other, what each block does to its own copy of the lists meanwhile, and
// who calls a kernel: the host, such a loop, or both.
// Needs: the actions of variants, `fused` of fuse-iterations, the arguments of list-arguments.
// Guarantees: a barrier stands between two works of the whole grid, and before a block changes what
// such a work reads.
// Why here: after the arguments, which the loop takes once for all its parts.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void place_barriers(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
