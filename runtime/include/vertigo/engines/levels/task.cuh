#pragma once
// What both searches of the engine `levels` share: the task, the value of a level, and what a
// search logs.
//
// All messages of one level carry the same value, and each level's value is no better than the one
// before. So a vertex takes the value of the first level that reaches it, if that improves its
// state, and no later one can improve it: one bit per vertex is all that a search asks.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/device/worklist.cuh"

namespace vertigo::gpu::levels {

template <class Program, class T>
struct Task {
  Program program;
  Vertex vertex_count;
  T* state;
  const T* inbox;             ///< start values of the vertices in `asked`
  Worklist asked;             ///< started vertices, each once
  std::uint64_t most_levels;  ///< a limit of steps
  std::uint32_t* mixed;       ///< becomes `run` where the states are not all equal
  std::uint32_t run;          ///< another number for each search, never 0
  StepLog log;
};

/// Names of the modes, for Phase::finish.
enum class Mode : std::uint32_t { Push, Pull, Local };

/// What a search did, kept in shared memory by the thread that leads the grid.
class Journal {
 public:
  __device__ __forceinline__ void begin() {
    totals_ = LoopTotals{};
    begin_ns_ = 0;
  }
  __device__ __forceinline__ void begin_step(const StepLog& log) {
    if (log.records != nullptr) begin_ns_ = global_nanoseconds();
  }
  __device__ __forceinline__ void end_step(const StepLog& log, Mode mode, std::uint64_t vertices,
                                           std::uint64_t edges, std::uint64_t out_edges) {
    if (log.records != nullptr && totals_.steps < log.capacity)
      log.records[totals_.steps] = {begin_ns_,
                                    global_nanoseconds(),
                                    vertices,
                                    edges,
                                    out_edges,
                                    0,
                                    static_cast<std::uint32_t>(mode),
                                    0};
    ++totals_.steps;
    totals_.active_vertices += vertices;
    totals_.edges += edges;
    totals_.modes |= 1u << static_cast<std::uint32_t>(mode);
  }
  __device__ __forceinline__ void end(const StepLog& log, LoopEnd how) {
    totals_.end = how;
    *log.totals = totals_;
  }

 private:
  LoopTotals totals_;
  std::uint64_t begin_ns_;
};

__device__ __forceinline__ bool leads_grid() { return blockIdx.x == 0 && threadIdx.x == 0; }

/// The value that a level's vertices take, and whether a vertex may take it.
template <class Program, class T>
class LevelValue {
  static constexpr bool kKnownStates = Program::knows_initial;

 public:
  /// Before any state changes.
  __device__ __forceinline__ explicit LevelValue(const Task<Program, T>& task)
      : program_(task.program), state_(task.state) {
    if constexpr (kKnownStates)
      common_ = program_.initial();
    else
      common_ = *task.state;
    if (*task.asked.count != 0) value_ = task.inbox[*task.asked.items];
  }

  /// Each thread compares its share of the states with the first one.
  __device__ __forceinline__ void compare_states(const Task<Program, T>& task) const {
    if constexpr (kKnownStates) return;
    constexpr unsigned kAtOnce = 8;
    const std::uint64_t stride = gridDim.x * blockDim.x;
    bool differ = false;
    for (std::uint64_t v = blockIdx.x * blockDim.x + threadIdx.x; v < task.vertex_count;
         v += kAtOnce * stride) {
      T states[kAtOnce];
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k)
        states[k] = v + k * stride < task.vertex_count ? task.state[v + k * stride] : common_;
#pragma unroll
      for (unsigned k = 0; k < kAtOnce; ++k) differ |= !(states[k] == common_);
    }
    if (differ) store_relaxed(*task.mixed, task.run);
  }
  /// After all threads have compared.
  __device__ __forceinline__ void learn_states(const Task<Program, T>& task) {
    if constexpr (!kKnownStates) mixed_ = load_relaxed(*task.mixed) == task.run;
  }

  __device__ __forceinline__ void advance() { value_ = program_.sent(value_); }
  /// Nobody can take the value.
  __device__ __forceinline__ bool is_useless() const {
    return !mixed_ && !program_.improves(value_, common_);
  }
  __device__ __forceinline__ bool improves(Vertex v) const {
    return !mixed_ || program_.improves(value_, load_relaxed(state_[v]));
  }
  __device__ __forceinline__ bool improves_start(Vertex v) const {
    return program_.improves(value_, load_relaxed(state_[v]));
  }
  __device__ __forceinline__ void give(Vertex v) const { store_relaxed(state_[v], value_); }

 private:
  Program program_;
  T* state_;
  T common_{};
  T value_{};
  bool mixed_ = false;
};

template <class T>
__device__ __forceinline__ T inclusive_scan(T x) {
#pragma unroll
  for (unsigned step = 1; step < kWarp; step <<= 1) {
    const T below = __shfl_up_sync(kAllLanes, x, step);
    if (lane() >= step) x += below;
  }
  return x;
}

__device__ __forceinline__ unsigned long long sum_of_warp(unsigned long long x) {
#pragma unroll
  for (unsigned step = kWarp / 2; step != 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
  return x;
}

}  // namespace vertigo::gpu::levels
