#pragma once
// The end of a solve: where few residuals exceed their tolerance, these alone are delivered, x_i
// += r_i, and what that sends is added to the residuals of the receivers. So all residuals stay
// known, and no sweep over all edges has to look for them again. The method is that of the push
// algorithms for personalised PageRank (Andersen, Chung, Lang: Local Graph Partitioning using
// PageRank Vectors, FOCS 2006, section 3), in rounds.
//
// Residuals are integers meanwhile: their sums do not depend on the order of additions.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/solve/sweep.cuh"

namespace vertigo::gpu::solve {

/// Threads that work on a round together, and wait for each other: the whole grid, or one block.
struct GridTeam {
  static constexpr bool kIsGrid = true;
  std::uint64_t thread;
  std::uint64_t threads;
  __device__ __forceinline__ void wait() const { grid_sync(); }
};
struct BlockTeam {
  static constexpr bool kIsGrid = false;
  std::uint64_t thread;
  std::uint64_t threads;
  __device__ __forceinline__ void wait() const { __syncthreads(); }
};

template <class S>
class Pusher {
 public:
  using T = typename S::T;
  using Offset = typename S::Offset;

  __device__ __forceinline__ explicit Pusher(const System<T, Offset>& system)
      : system_(system), control_(*system.control) {}

  /// Residuals from the iterate that a plain sweep made of the current one; rows above their
  /// tolerance count as touched. Returns along how many edges the caller's rows send; `kept`: what
  /// vertices hold that take no part, in units.
  __device__ __forceinline__ double find_rows(const GridTeam& team, double& kept) {
    // The decision after the sweep was for the next iterate.
    const T* const held = system_.iterates[control_.current ^ 1];
    const T* const next = system_.iterates[control_.current];
    const double per_unit = 1 / control_.push_unit;
    const T least = static_cast<T>(kLeastUnits * control_.push_unit);
    double edges = 0;
    for (std::uint64_t i = team.thread; i < system_.rows.row_end; i += team.threads) {
      const Vertex at = static_cast<Vertex>(i);
      const T weight = system_.weights[at];
      // A value that cannot be told from what it sends is not in the iterate.
      const bool is_apart = detail::magnitude(weight) < detail::kLeastWeight<T>;
      const T y = divide_quickly(next[at], weight);
      const T x = divide_quickly(held[at], weight);
      const bool is_in = control_.all_take_part || x != 0 || y != 0;
      const T residual = is_in ? y - x : system_.apart[at];
      const T most = is_in ? threshold(at, y) : tolerance_at(system_, at);
      const double units = residual * per_unit;
      if (!is_in) kept += detail::magnitude(units);
      const bool fits = !is_apart && detail::magnitude(units) < kMostKept;
      if (!fits || most < least) fail(1);
      system_.pushes.left[at] = fits ? static_cast<long long>(units) : 0;
      system_.pushes.touched[at] = 0;
      if (detail::magnitude(residual) <= most) continue;
      edges += system_.rows.out_degrees[at];
      add_candidate(at, 1);
    }
    return edges;
  }

  /// Rounds until no residual is above its tolerance, or few enough are for a block alone. Returns
  /// along how many edges the caller's rows have sent.
  template <class Team>
  __device__ __forceinline__ double run(const Team& team) {
    double edges = 0;
    unsigned round = load_relaxed(control_.push_rounds);
    if (Team::kIsGrid) {
      edges += look_at_touched(team, 1);
      team.wait();
    }
    unsigned pieces = load_relaxed(control_.moving[round & 1]);
    while (pieces != 0) {
      if (Team::kIsGrid && pieces <= kFewPieces) break;
      const unsigned next = (round & 1) ^ 1;
      if (load_relaxed(control_.push_failed[next]) != 0) break;
      if (team.thread == 0) store_relaxed(control_.moving[next], 0u);
      deliver(team, pieces, round);
      team.wait();
      if (team.thread == 0) {
        store_relaxed(control_.touched[next], 0u);
        store_relaxed(control_.push_rounds, round + 1);
        if (round + 1 == kMostRounds) fail(round);
      }
      edges += look_at_touched(team, round & 1);
      team.wait();
      ++round;
      pieces = load_relaxed(control_.moving[round & 1]);
    }
    return edges;
  }

 private:
  /// Rounds before a sweep over all rows has its turn again.
  static constexpr unsigned kMostRounds = 512;
  /// A tolerance of fewer units could be missed by their rounding.
  static constexpr double kLeastUnits = 0x1p24;
  /// Out-edges are dealt out in pieces, to so many lanes, so many edges to each: it asks for all of
  /// them before it waits.
  static constexpr unsigned kLanes = 8;
  static constexpr unsigned kEdges = 4;
  /// So few pieces are left to one block, whose barrier is cheaper than the grid's.
  static constexpr unsigned kFewPieces = S::kThreads / 4;

  __device__ __forceinline__ void fail(unsigned round) const {
    store_relaxed(control_.push_failed[round & 1], 1u);
  }
  __device__ __forceinline__ T threshold(Vertex at, T y) const {
    return static_cast<T>(kListShare) * tolerance_at(system_, at) +
           detail::kRounding<T> * detail::magnitude(y);
  }
  __device__ __forceinline__ void add_candidate(Vertex at, unsigned parity) const {
    const unsigned place = claim(&control_.touched[parity]);
    if (place < system_.pushes.candidate_room)
      store_relaxed(system_.pushes.candidates[place], at);
    else
      fail(parity);
  }

  /// Whatever something was delivered to, and is above its tolerance now, takes what is left there,
  /// x += r, and delivers in the next round by how much more it sends.
  template <class Team>
  __device__ __forceinline__ double look_at_touched(const Team& team, unsigned parity) {
    const Pushes& pushes = system_.pushes;
    T* const iterate = system_.iterates[control_.current];
    const unsigned touched = load_relaxed(control_.touched[parity]);
    const unsigned count = touched < pushes.candidate_room ? touched : pushes.candidate_room;
    double edges = 0;
    for (std::uint64_t i = team.thread; i < count; i += team.threads) {
      const Vertex at = load_relaxed(pushes.candidates[i]);
      const long long units = load_relaxed(pushes.left[at]);
      const T sends = load_relaxed(iterate[at]);
      const T weight = system_.weights[at];
      const unsigned degree = system_.rows.out_degrees[at];
      const T x = divide_quickly(sends, weight);
      const T y = x + static_cast<T>(units * control_.push_unit);
      const bool is_in = control_.all_take_part || x != 0;
      if (detail::magnitude(y - x) <= (is_in ? threshold(at, y) : tolerance_at(system_, at)))
        continue;
      const T sends_now = sent(weight, y);
      // What the rounding of x leaves over stays.
      const T gained = divide_quickly(sends_now, weight) - x;
      store_relaxed(iterate[at], sends_now);
      store_relaxed(pushes.left[at], units - in_units(gained));
      edges += degree;
      add_pieces(at, sends_now - sends, degree, parity);
    }
    return edges;
  }
  __device__ __forceinline__ long long in_units(T value) const {
    return static_cast<long long>(value / control_.push_unit);
  }

  __device__ __forceinline__ void add_pieces(Vertex at, T more, unsigned degree, unsigned parity) {
    if (degree == 0) return;
    unsigned& moving = control_.moving[parity ^ 1];
    const unsigned others = (degree - 1) / (kLanes * kEdges);
    unsigned place = claim(&moving);
    const unsigned first_other = others == 0 ? 0 : atomicAdd(&moving, others);
    for (unsigned piece = 0; piece <= others; ++piece) {
      if (place >= system_.list_room) {
        fail(parity);
        return;
      }
      store_relaxed(system_.list[place], at);
      store_relaxed(system_.list_values[place], more);
      store_relaxed(system_.pushes.pieces[place], piece);
      place = first_other + piece;
    }
  }

  /// Adds what a row sends to the residuals of its receivers.
  template <class Team>
  __device__ __forceinline__ void deliver(const Team& team, unsigned pieces, unsigned round) {
    constexpr Vertex kNobody = ~Vertex{0};
    const Pushes& pushes = system_.pushes;
    const PullRows<Offset>& rows = system_.rows;
    for (std::uint64_t i = team.thread / kLanes; i < pieces; i += team.threads / kLanes) {
      const Vertex at = load_relaxed(system_.list[i]);
      const auto units =
          static_cast<unsigned long long>(in_units(load_relaxed(system_.list_values[i])));
      const Vertex v = rows.order == nullptr ? at : rows.order[at];
      const EdgeIndex begin = pushes.offsets[v] + threadIdx.x % kLanes +
                              EdgeIndex{load_relaxed(pushes.pieces[i])} * (kLanes * kEdges);
      const EdgeIndex end = pushes.offsets[v + 1];
      Vertex receivers[kEdges];
#pragma unroll
      for (unsigned k = 0; k < kEdges; ++k)
        receivers[k] = begin + k * kLanes < end ? pushes.receivers[begin + k * kLanes] : kNobody;
      unsigned seen[kEdges];
#pragma unroll
      for (unsigned k = 0; k < kEdges; ++k) {
        if (receivers[k] == kNobody) continue;
        if (rows.position_of != nullptr) receivers[k] = rows.position_of[receivers[k]];
        atomicAdd(reinterpret_cast<unsigned long long*>(pushes.left + receivers[k]), units);
        seen[k] = load_relaxed(pushes.touched[receivers[k]]);
      }
#pragma unroll
      for (unsigned k = 0; k < kEdges; ++k)
        if (receivers[k] != kNobody && seen[k] != round + 1 &&
            atomicExch(&pushes.touched[receivers[k]], round + 1) != round + 1)
          add_candidate(receivers[k], round & 1);
    }
  }

  const System<T, Offset>& system_;
  Control& control_;
};

}  // namespace vertigo::gpu::solve
