#pragma once
// donate-lists
//
// Does: of kernels over a worklist that run as a part of a launch's steps, and of kernels over a
// colour class, lets lists that are long even for a block go to all blocks of the launch, where the
// graph has any (shared `grid`). A worklist or a class may hold one hub and nothing else.
// Needs: share-lists, which says how lists are shared out; place-barriers, which says what runs as
// a part of a launch, and so among blocks that all run at the same time.
// Guarantees: nothing changes where a balance is pinned, or where a loop may end early.
// Why here: nothing after it looks at how lists are shared out but the emitters.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void donate_lists(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
