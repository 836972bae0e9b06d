#pragma once
// Values that the neighbours of a vertex read, computed once a vertex: the arrays, and the kernel
// that fills them before the update (choose-senders decides, SenderValues.h finds them).
//
// The kernel writes nothing but these arrays and reads nothing that it writes, one thread a vertex,
// so no atomics; the update reads them in the next launch, when all are there.

#include "compiler/passes/toplan/PhaseKernels.h"
#include "compiler/passes/toplan/SenderValues.h"

namespace vertigo::compiler::toplan {

class StoredSenders {
 public:
  explicit StoredSenders(PhaseKernels& kernels);

  bool any() const { return !arrays_.empty(); }
  plan::Kernel kernel();
  /// For the kernel of the update.
  const std::map<const ir::Expr*, StoredValue>& stored() const { return stored_; }
  /// States that the update still reads at neighbours as they were before it.
  const std::set<std::string>& snapshots() const { return snapshots_; }

 private:
  struct Array {
    SenderValue value;  ///< the first of those that lie there
    std::string buffer;
  };
  std::string array_of(const SenderValue& value);

  PhaseKernels& kernels_;
  std::vector<Array> arrays_;
  std::map<const ir::Expr*, StoredValue> stored_;
  std::set<std::string> snapshots_;
};

}  // namespace vertigo::compiler::toplan
