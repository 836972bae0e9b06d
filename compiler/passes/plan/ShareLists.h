#pragma once
// share-lists
//
// Does: arranges the body of a kernel whose balance shares lists of edges out: what the threads of
// a block go through together, what each does alone for its own vertex, and which locals outlive
// that.
// Needs: kernels, with the balance of choose-balance.
// Guarantees: a kernel that is not `together` has no loop that could be shared, or is not to share
// any. What targets without blocks print of an arranged body is what it was.
// Why here: first of those that arrange; all others read bodies as they will be printed.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void share_lists(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
