#pragma once
// Step records of loops that are over. They stay on the device until the run's time has been taken:
// to fetch and keep thousands of them would cost more than writing them.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "vertigo/device/step_log.cuh"
#include "vertigo/trace/recorder.h"

namespace vertigo::gpu::detail {

class KeptRecords {
 public:
  /// What the trace says of step `i`; `last_ns`: when the last step ended.
  using Describe = std::function<trace::Iteration(const StepRecord& record, std::size_t i,
                                                  std::uint64_t last_ns)>;

  /// The first `steps` records of the log, as far as it has room for them.
  void keep(const StepLog& log, std::uint64_t steps, Describe describe);
  /// Whether a loop that is about to begin would write over some.
  bool would_lose(const StepLog& log) const;
  /// Adds them to the trace, oldest first.
  void fetch(cudaStream_t stream, trace::Recorder& trace);
  void drop() { kept_.clear(); }

 private:
  struct Kept {
    const StepRecord* records;
    std::size_t count;
    Describe describe;
  };
  std::vector<Kept> kept_;
};

}  // namespace vertigo::gpu::detail
