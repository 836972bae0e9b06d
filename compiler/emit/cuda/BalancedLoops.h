#pragma once
// Which edge loops of a kernel can be shared out among the threads of a block, and what a shared
// loop needs of the code around it. A matter of form alone: whether a kernel shares its loops was
// decided by choose-balance.

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// A value that the thread of a vertex computed and the threads which visit its edges need.
struct KeptValue {
  std::string symbol;
  ir::Type type;
};

struct SharedLoop {
  /// The accumulator that the loop folds into; empty where it only writes to what is shared.
  std::string accumulator;
  ir::Type accumulator_type;
  ir::Combine combine = ir::Combine::Min;
  std::string changed;  ///< the bool that says whether the fold changed the accumulator
  std::vector<KeptValue> kept;
};

/// How `loop` of `kernel` can be shared; nothing where it cannot (it folds into several
/// accumulators, or leaves early for another reason than a fold that is complete, or writes to its
/// own vertex without an atomic).
std::optional<SharedLoop> shared_form(const plan::Kernel& kernel, const plan::KernelStmt& loop);

/// True where a loop that can be shared stands in the block, branches included.
bool has_shared_loop(const plan::Kernel& kernel, const plan::Block& block);

/// True where the graph decides, when it is loaded, how a kernel of the variant shares its loops.
bool is_balanced_by_graph(const plan::Plan& plan, const plan::PhasePlan& phase,
                          const plan::Variant& variant);

/// True where the statement, or one below it, mentions the local.
bool mentions(const plan::KernelStmt& stmt, const std::string& symbol);

}  // namespace vertigo::compiler::emit
