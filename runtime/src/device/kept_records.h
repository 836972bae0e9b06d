#pragma once
// Step records of loops that are over. They stay on the device until the run's time has been taken:
// to fetch and keep thousands of them would cost more than writing them.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "vertigo/device/step_log.cuh"
#include "vertigo/trace/recorder.h"

namespace vertigo::gpu::detail {

class KeptRecords {
 public:
  /// A loop, for the trace.
  struct Loop {
    std::string_view phase;
    std::uint64_t steps;
    std::uint64_t first_step;  ///< number of its first step in the phase
    double ended;              ///< seconds since the run began
    std::uint64_t end_ns;      ///< the same by the device's clock; 0: the last record knows
  };
  struct Name {
    std::string_view variant;
    std::string_view reason;
  };
  /// What StepRecord::mode stands for.
  using NameOf = std::function<Name(std::uint32_t mode)>;

  /// The loop's records, as far as the log has room for them.
  void keep(const StepLog& log, const Loop& loop, NameOf name_of);
  /// Whether a loop that is about to begin would write over some.
  bool would_lose(const StepLog& log) const;
  /// Adds them to the trace, oldest first.
  void fetch(cudaStream_t stream, trace::Recorder& trace);
  void drop() { kept_.clear(); }

 private:
  struct Kept {
    const StepRecord* records;
    std::size_t count;
    Loop loop;
    NameOf name_of;
  };
  std::vector<Kept> kept_;
};

}  // namespace vertigo::gpu::detail
