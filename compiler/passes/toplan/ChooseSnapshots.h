#pragma once
// choose-snapshots
//
// Does: decides for an update that reads of other vertices a state which it assigns how these read
// what was there before: from a copy that is made first; from one that the update in front keeps,
// which goes through the same list of vertices; or from the array itself, while new values go to a
// second one and both trade places behind the update.
// Needs: the decision about the domain. Guarantees: the same values.
// Why here: what an update looks at is known; build-kernels makes the arrays.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_snapshots(plan::Plan& plan, PassContext& context);

/// Whether new values of the update go to a second array.
bool trades_places(const plan::Plan& plan, const ir::Phase& phase);
/// Whether an update in front keeps what neighbours read (KeptSnapshots.h).
bool finds_snapshots(const plan::Plan& plan, const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
