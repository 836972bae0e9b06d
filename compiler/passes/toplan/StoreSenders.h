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
  /// The arrays are those that the update before has made; this one makes those of the next.
  bool carries() const { return carries_; }
  /// At the end of the update's kernel: what the neighbours of `v` will read.
  void carry(plan::Block& block, const std::string& v, LocalNames& names);
  /// Behind the update: what it made is what the next one reads.
  std::vector<plan::Action> swaps() const;
  /// For the kernel of the update.
  const std::map<const ir::Expr*, StoredValue>& stored() const { return stored_; }
  /// States that the update still reads at neighbours as they were before it.
  const std::set<std::string>& snapshots() const { return snapshots_; }

 private:
  struct Array {
    SenderValue value;  ///< the first of those that lie there
    std::string buffer;
    std::string next;  ///< of the next update; "" where that reads the same, or fills it anew
  };
  std::string array_of(const SenderValue& value);
  void fill(plan::Block& block, const Array& array, const std::string& buffer, const std::string& v,
            LocalNames& names);

  PhaseKernels& kernels_;
  std::vector<Array> arrays_;
  std::map<const ir::Expr*, StoredValue> stored_;
  std::set<std::string> snapshots_;
  bool carries_ = false;
};

}  // namespace vertigo::compiler::toplan
