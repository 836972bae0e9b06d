#pragma once
// How many edges each step visited, where no fence lies between two steps: for the trace of loops
// whose blocks meet at a CountingBarrier.

#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/step_log.cuh"

namespace vertigo::gpu {

/// Counters take turns from step to step. What blocks added to one is read a step later, when it
/// has arrived without anyone waiting for it, and goes into its record one step later still, so
/// that nobody waits for the reading either.
class TracedEdges {
 public:
  static constexpr unsigned kCounters = 4;

  /// `counters` are shared by all blocks, and 0 when the loop begins.
  __device__ __forceinline__ TracedEdges(unsigned long long* counters, const StepLog& log)
      : counters_(counters), log_(log) {}

  /// What one block visited in `step`. Not by the thread that meets the other blocks: it would wait
  /// for the addition.
  __device__ __forceinline__ void add(std::uint64_t step, unsigned edges) const {
    atomicAdd(counters_ + step % kCounters, static_cast<unsigned long long>(edges));
  }

  /// By one thread of the grid, always the same, when the blocks have met after `step`.
  __device__ __forceinline__ void follow(std::uint64_t step) {
    if (step > 1) write(step - 2);
    if (step > 0) read(step - 1);
  }

  /// By the same thread, when everything that was added has arrived; `steps` have been followed.
  __device__ __forceinline__ void finish(std::uint64_t steps) {
    if (steps > 1) write(steps - 2);
    if (steps == 0) return;
    read(steps - 1);
    write(steps - 1);
  }

 private:
  __device__ __forceinline__ void read(std::uint64_t step) {
    unsigned long long& counter = counters_[step % kCounters];
    edges_ = load_relaxed(counter);
    store_relaxed(counter, 0ull);
  }
  __device__ __forceinline__ void write(std::uint64_t step) const {
    if (step < log_.capacity) log_.records[step].edges = edges_;
  }

  unsigned long long* counters_;
  const StepLog& log_;
  unsigned long long edges_ = 0;
};

}  // namespace vertigo::gpu
