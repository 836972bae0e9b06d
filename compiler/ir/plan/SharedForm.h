#pragma once
// Which edge loops of a kernel can be shared out among the threads of a block, and what a shared
// loop needs of the code around it. A matter of form alone: whether a kernel shares its loops was
// decided by choose-balance. share-lists asks it, and the verifier asks it again.

#include <optional>

#include "compiler/ir/plan/Kernel.h"

namespace vertigo::plan {

/// How `loop` of `kernel` can be shared, in whatever way; nothing where it cannot (it folds into
/// several accumulators, or leaves early for another reason than a fold that is complete, or writes
/// to its own vertex without an atomic).
std::optional<SharedEdges> shared_form(const Kernel& kernel, const KernelStmt& loop);

/// Whether the statement makes a local.
bool declares(const KernelStmt& stmt);

}  // namespace vertigo::plan
