#pragma once
// The end of a solve: where few residuals exceed their tolerance, these alone are delivered, x_i
// += r_i, and what that sends is added to the residuals of the receivers. So all residuals stay
// known, and no sweep over all edges has to look for them again. The method is that of the push
// algorithms for personalised PageRank (Andersen, Chung, Lang: Local Graph Partitioning using
// PageRank Vectors, FOCS 2006, section 3), in rounds.
//
// Residuals are integers meanwhile: their sums do not depend on the order of additions.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/engines/solve_sweep.cuh"

namespace vertigo::gpu::solve {

/// Threads that work on a round together, and wait for each other: the whole grid, or one block.
struct GridTeam {
  static constexpr bool kIsGrid = true;
  std::uint64_t thread;
  std::uint64_t threads;
  unsigned warp;
  unsigned warps;
  __device__ __forceinline__ void wait() const { grid_sync(); }
};
struct BlockTeam {
  static constexpr bool kIsGrid = false;
  std::uint64_t thread;
  std::uint64_t threads;
  unsigned warp;
  unsigned warps;
  __device__ __forceinline__ void wait() const {
    __threadfence();
    __syncthreads();
  }
};

template <class S>
class Pusher {
 public:
  using T = typename S::T;
  using Offset = typename S::Offset;
  /// Rounds before a sweep over all rows has its turn again.
  static constexpr unsigned kMostRounds = 512;
  /// So few rows are left to one block, whose barrier is cheaper than the grid's.
  static constexpr unsigned kFewRows = 256;

  __device__ __forceinline__ explicit Pusher(const System<T, Offset>& system)
      : system_(system), control_(*system.control) {}

  /// Residuals from the iterate that a plain sweep made of the current one, and the list of rows
  /// above their tolerance. Returns along how many edges the caller's rows send.
  __device__ __forceinline__ double list_rows(const GridTeam& team) {
    // The decision after the sweep was for the next iterate.
    const T* const held = system_.iterates[control_.current ^ 1];
    const T* const next = system_.iterates[control_.current];
    const double per_unit = 1 / control_.push_unit;
    double edges = 0;
    for (std::uint64_t i = team.thread; i < system_.rows.vertex_count; i += team.threads) {
      const Vertex at = static_cast<Vertex>(i);
      const T x = value_at(system_, held, at);
      // Values that cannot be told from what they send are in one place only.
      const bool is_apart = detail::magnitude(system_.weights[at]) < detail::kLeastWeight<T>;
      const T residual = is_apart ? T{0} : value_at(system_, next, at) - x;
      if (is_apart) fail(0);
      const Vertex v = vertex(at);
      system_.pushes.left[v] = static_cast<long long>(residual * per_unit);
      system_.pushes.touched[v] = 0;
      const T most = threshold(at, x + residual);
      if (most < kLeastUnits * control_.push_unit) fail(0);
      if (detail::magnitude(residual) <= most) continue;
      const unsigned degree = system_.rows.out_degrees[at];
      if (degree > kLongPush) fail(0);
      edges += degree;
      const unsigned place = claim(&control_.moving[0]);
      if (place < system_.list_room)
        system_.list[place] = at;
      else
        fail(0);
    }
    return edges;
  }

  /// Before the first round. Returns along how many edges the caller's rows will send.
  __device__ __forceinline__ double take_listed(const GridTeam& team) {
    const unsigned rows = control_.moving[0];
    double edges = 0;
    for (std::uint64_t i = team.thread; i < rows; i += team.threads) {
      const Vertex at = system_.list[i];
      edges += system_.rows.out_degrees[at];
      take(static_cast<unsigned>(i), at);
    }
    team.wait();
    return edges;
  }

  /// Rounds until no residual is above its tolerance, or few enough are for a block alone. Returns
  /// along how many edges the caller's rows have sent.
  template <class Team>
  __device__ __forceinline__ double run(const Team& team) {
    double edges = 0;
    unsigned round = load_relaxed(control_.push_rounds);
    unsigned rows = load_relaxed(control_.moving[round & 1]);
    while (rows != 0) {
      if (Team::kIsGrid && rows <= kFewRows) break;
      const unsigned next = (round & 1) ^ 1;
      if (load_relaxed(control_.push_failed[next]) != 0) break;
      if (team.thread == 0) store_relaxed(control_.moving[next], 0u);
      deliver(team, rows, round);
      team.wait();
      if (team.thread == 0) {
        store_relaxed(control_.touched[next], 0u);
        store_relaxed(control_.push_rounds, round + 1);
        if (round + 1 == kMostRounds) fail(round);
      }
      edges += look_at_touched(team, round);
      team.wait();
      ++round;
      rows = load_relaxed(control_.moving[round & 1]);
    }
    return edges;
  }

 private:
  /// A tolerance of fewer units could be missed by their rounding.
  static constexpr double kLeastUnits = 0x1p24;

  __device__ __forceinline__ void fail(unsigned round) const {
    store_relaxed(control_.push_failed[round & 1], 1u);
  }
  __device__ __forceinline__ Vertex vertex(Vertex at) const {
    return system_.rows.order == nullptr ? at : system_.rows.order[at];
  }
  __device__ __forceinline__ Vertex position(Vertex v) const {
    return system_.rows.position_of == nullptr ? v : system_.rows.position_of[v];
  }
  __device__ __forceinline__ T threshold(Vertex at, T y) const {
    const T tolerated = system_.tolerances == nullptr ? system_.tolerance : system_.tolerances[at];
    return static_cast<T>(kListShare) * tolerated + detail::kRounding<T> * detail::magnitude(y);
  }
  __device__ __forceinline__ T value(Vertex at) const {
    const T weight = system_.weights[at];
    return divide_quickly(load_relaxed(system_.iterates[control_.current][at]), weight);
  }

  /// x += r at a position, and notes at `place` by how much more it sends along each edge.
  __device__ __forceinline__ void take(unsigned place, Vertex at) {
    T& held = system_.iterates[control_.current][at];
    const T weight = system_.weights[at];
    const T sends = load_relaxed(held);
    const T x = divide_quickly(sends, weight);
    long long& left = system_.pushes.left[vertex(at)];
    const long long units = load_relaxed(left);
    const T sends_now = sent(weight, x + static_cast<T>(units * control_.push_unit));
    // What the rounding of x leaves over stays.
    const T gained = divide_quickly(sends_now, weight) - x;
    store_relaxed(held, sends_now);
    store_relaxed(left, units - in_units(gained));
    store_relaxed(system_.list_values[place], sends_now - sends);
  }
  __device__ __forceinline__ long long in_units(T value) const {
    return static_cast<long long>(value / control_.push_unit);
  }

  /// A warp per row: adds what it sends to the residuals of its receivers.
  template <class Team>
  __device__ __forceinline__ void deliver(const Team& team, unsigned rows, unsigned round) {
    const Pushes& pushes = system_.pushes;
    for (unsigned i = team.warp; i < rows; i += team.warps) {
      const Vertex v = vertex(load_relaxed(system_.list[i]));
      const long long units = in_units(load_relaxed(system_.list_values[i]));
      for (EdgeIndex e = pushes.offsets[v] + lane(); e < pushes.offsets[v + 1]; e += kWarp) {
        const Vertex receiver = pushes.receivers[e];
        atomicAdd(reinterpret_cast<unsigned long long*>(pushes.left + receiver),
                  static_cast<unsigned long long>(units));
        unsigned& touched = pushes.touched[receiver];
        if (load_relaxed(touched) == round + 1 || atomicExch(&touched, round + 1) == round + 1)
          continue;
        const unsigned place = claim(&control_.touched[round & 1]);
        if (place < pushes.candidate_room)
          store_relaxed(pushes.candidates[place], receiver);
        else
          fail(round);
      }
      __syncwarp();
    }
  }

  /// Whatever something was delivered to, and is above its tolerance now, is next.
  template <class Team>
  __device__ __forceinline__ double look_at_touched(const Team& team, unsigned round) {
    const Pushes& pushes = system_.pushes;
    const unsigned touched = load_relaxed(control_.touched[round & 1]);
    const unsigned count = touched < pushes.candidate_room ? touched : pushes.candidate_room;
    double edges = 0;
    for (std::uint64_t i = team.thread; i < count; i += team.threads) {
      const Vertex v = load_relaxed(pushes.candidates[i]);
      const Vertex at = position(v);
      const T residual = static_cast<T>(load_relaxed(pushes.left[v]) * control_.push_unit);
      if (detail::magnitude(residual) <= threshold(at, value(at) + residual)) continue;
      const unsigned degree = system_.rows.out_degrees[at];
      edges += degree;
      const unsigned place = claim(&control_.moving[(round & 1) ^ 1]);
      if (place >= system_.list_room || degree > kLongPush) {
        fail(round);
        continue;
      }
      store_relaxed(system_.list[place], at);
      take(place, at);
    }
    return edges;
  }

  const System<T, Offset>& system_;
  Control& control_;
};

}  // namespace vertigo::gpu::solve
