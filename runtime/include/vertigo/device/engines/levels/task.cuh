#pragma once
// What both searches of the engine `levels` share: the task, the value of a level, and what a
// search reports.
//
// All messages of one level carry the same value, and each level's value is no better than the one
// before. So a vertex takes the value of the first level that reaches it, if that improves its
// state, and no later one can improve it: one bit per vertex is all that a search asks.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/worklist.cuh"

namespace vertigo::gpu::levels {

enum class Outcome : std::uint32_t {
  Done,           ///< nothing is left to visit
  Limit,          ///< the limit of steps left vertices unvisited
  UnequalStarts,  ///< the started vertices' inboxes differ: no search by levels
  Stuck,          ///< a block waited longer than any level lasts
};

/// What a search did, written by one thread at its end. Zero before it.
struct Totals {
  unsigned long long steps;
  unsigned long long active;  ///< vertices visited
  unsigned long long edges;   ///< edges looked at
  unsigned long long pulls;   ///< steps that pulled
  Outcome outcome;
};

/// Words that a search clears and uses for itself.
struct Shared {
  std::uint32_t mixed_states;  ///< the states were not all equal before
  std::uint32_t unequal_starts;
};

/// `Program` has
///   T sent(T value) const             what a vertex that took `value` sends,
///   bool improves(T value, T state)   the guard.
template <class Program, class T>
struct Task {
  Program program;
  Vertex vertex_count;
  T* state;
  const T* inbox;             ///< start values of the vertices in `asked`
  Worklist asked;             ///< started vertices, each once
  // Where the search runs on vertices in another order than the state; null: in the same.
  const Vertex* ids;    ///< place of a searched vertex in the state
  const Vertex* ranks;  ///< the way back
  std::uint64_t most_levels;  ///< a limit of steps
  Shared* shared;
  Totals* totals;
};

/// The value that a level's vertices take, and whether a vertex may take it.
template <class Program, class T>
class LevelValue {
 public:
  /// Before any state changes.
  __device__ __forceinline__ explicit LevelValue(const Task<Program, T>& task)
      : program_(task.program), state_(task.state), ids_(task.ids), common_(*task.state) {
    if (*task.asked.count != 0) value_ = task.inbox[*task.asked.items];
  }

  /// Each thread compares its share of the states with the first one.
  __device__ __forceinline__ void compare_states(const Task<Program, T>& task) const {
    const unsigned stride = gridDim.x * blockDim.x;
    bool differ = false;
    for (std::uint64_t v = blockIdx.x * blockDim.x + threadIdx.x; v < task.vertex_count;
         v += stride)
      differ |= !(task.state[v] == common_);
    if (__any_sync(kAllLanes, differ) && lane() == 0) store_relaxed(task.shared->mixed_states, 1u);
  }
  /// After all threads have compared.
  __device__ __forceinline__ void learn_states(const Task<Program, T>& task) {
    mixed_ = load_relaxed(task.shared->mixed_states) != 0;
  }

  __device__ __forceinline__ bool is_mine(T start) const { return start == value_; }
  __device__ __forceinline__ void advance() { value_ = program_.sent(value_); }
  /// Nobody can take the value.
  __device__ __forceinline__ bool is_useless() const {
    return !mixed_ && !program_.improves(value_, common_);
  }
  __device__ __forceinline__ bool improves(Vertex v) const {
    return !mixed_ || program_.improves(value_, load_relaxed(state_[place_of(v)]));
  }
  /// `place`: in the state.
  __device__ __forceinline__ bool improves_start(Vertex place) const {
    return program_.improves(value_, load_relaxed(state_[place]));
  }
  __device__ __forceinline__ void give(Vertex v) const {
    store_relaxed(state_[place_of(v)], value_);
  }

 private:
  __device__ __forceinline__ Vertex place_of(Vertex v) const {
    return ids_ == nullptr ? v : ids_[v];
  }

  Program program_;
  T* state_;
  const Vertex* ids_;
  T common_;
  T value_{};
  bool mixed_ = false;
};

__device__ __forceinline__ unsigned inclusive_scan(unsigned x) {
#pragma unroll
  for (unsigned step = 1; step < kWarp; step <<= 1) {
    const unsigned below = __shfl_up_sync(kAllLanes, x, step);
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
