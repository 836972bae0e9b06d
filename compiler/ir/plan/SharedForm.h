#pragma once
// Which edge loops of a kernel can be shared out among the threads of a block, and what a shared
// loop needs of the code around it. A matter of form alone: whether a kernel shares its loops was
// decided by choose-balance. share-lists asks it, and the verifier asks it again.

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/ir/plan/Kernel.h"

namespace vertigo::plan {

/// Of one kernel, as it was when this was made; a kernel may have thousands of loops and locals.
class SharedForms {
 public:
  explicit SharedForms(const Kernel& kernel);

  /// How a loop of the kernel can be shared, in whatever way; nothing where it cannot (it folds
  /// into several accumulators, or leaves early for another reason than a fold that is complete, or
  /// writes to its own vertex without an atomic).
  std::optional<SharedEdges> of(const KernelStmt& loop) const;

 private:
  struct Local {
    std::size_t place;  ///< among the kernel's declarations
    Type type;
  };

  std::vector<KeptValue> kept_by(const KernelStmt& loop, const SharedEdges& form,
                                 const std::set<std::string>& inner) const;

  std::string vertex_;
  std::unordered_map<std::string, Local> locals_;
};

/// Whether a loop of the kernel that can be shared in this form folds what depends on the neighbour
/// and the edge alone, over all vertices: it need not know whose edge it is at.
bool folds_rows(const Kernel& kernel, const KernelStmt& loop, const SharedEdges& form);

/// Whether the statement makes a local.
bool declares(const KernelStmt& stmt);

}  // namespace vertigo::plan
