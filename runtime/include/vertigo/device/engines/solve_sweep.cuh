#pragma once
// One sweep: b + A x at every row, what is left of the equation there, and the next iterate. No
// atomics on values, and every sum in a fixed order: results repeat bit by bit.

#include "vertigo/device/engines/solve_system.cuh"
#include "vertigo/device/worklist.cuh"

namespace vertigo::gpu::solve {

/// How a solver is instantiated. `kHot`: the iterate's first values lie in shared memory.
/// `kCancels`: terms have both signs.
template <class T_, class Offset_, bool kEdgeValues_, bool kHot_, bool kCancels_>
struct Shape {
  using T = T_;
  using Offset = Offset_;
  static constexpr bool kEdgeValues = kEdgeValues_;
  static constexpr bool kHot = kHot_;
  static constexpr bool kCancels = kCancels_;
  static constexpr unsigned kThreads = kHot_ ? 1024 : 256;
  /// Per processor, what registers are spent for: latency of short rows is hidden by many warps.
  static constexpr unsigned kBlocks = kHot_ ? 1 : sizeof(T_) == 4 ? 5 : 4;
};

namespace detail {

template <class T>
inline constexpr T kRounding = kRoundings * (sizeof(T) == 4 ? T(0x1p-24) : T(0x1p-53));
template <class T, bool kCancels>
struct RowSum {
  using Type = T;
  T value{};
  T size{};  ///< sum of magnitudes, where terms may cancel
  __device__ __forceinline__ void add(T a, T b, T c, T d) {
    value += (a + b) + (c + d);
    if constexpr (kCancels) size += (magnitude(a) + magnitude(b)) + (magnitude(c) + magnitude(d));
  }
};

/// The sum over groups of kLanes lanes, in a fixed order; every lane gets it.
template <unsigned kLanes, class T, bool kCancels>
__device__ __forceinline__ RowSum<T, kCancels> over_lanes(RowSum<T, kCancels> sum) {
#pragma unroll
  for (unsigned distance = kLanes / 2; distance > 0; distance /= 2) {
    sum.value += shuffle(sum.value, lane() ^ distance);
    if constexpr (kCancels) sum.size += shuffle(sum.size, lane() ^ distance);
  }
  return sum;
}

}  // namespace detail

/// What x sends along an edge. A vertex that holds nothing sends nothing, whatever its weight.
template <class T>
__device__ __forceinline__ T sent(T weight, T x) {
  return x == 0 ? x : weight * x;
}

/// What a thread, or all, add up in a sweep; the order is that of System::partials.
template <class T>
struct Totals {
  T residual = 0;          ///< sum of |b + A x - x|
  unsigned above = 0;      ///< rows whose residual exceeds their tolerance
  float listed_edges = 0;  ///< of the rows on the list
  // Of the residual now and one plain step ago: whether they point the same way.
  T now_now = 0;
  T now_before = 0;
  T before_before = 0;
};

template <class S>
class Sweep {
 public:
  using T = typename S::T;
  using Offset = typename S::Offset;
  static constexpr bool kCancels = S::kCancels;
  using Sum = detail::RowSum<T, kCancels>;

  __device__ __forceinline__ Sweep(const System<T, Offset>& system, const T* hot)
      : system_(system),
        hot_(hot),
        from_(system.iterates[system.control->current]),
        to_(system.iterates[system.control->current ^ 1]),
        accelerated_(system.control->step == Step::Chebyshev),
        compares_(system.control->plain > 0),
        one_constant_(system.control->one_constant),
        omega_(static_cast<T>(system.control->omega)),
        constant_(static_cast<T>(system.control->constant)) {}

  __device__ __forceinline__ void run(unsigned warp, unsigned warps) {
    const PullRows<Offset>& rows = system_.rows;
    for (unsigned unit = warp; unit < rows.first_unit[kClasses]; unit += warps) {
      if (unit < rows.piece_count)
        piece(unit);
      else if (unit < rows.first_unit[1])
        group<0>(unit);
      else if (unit < rows.first_unit[2])
        group<1>(unit);
      else if (unit < rows.first_unit[3])
        group<2>(unit);
      else if (unit < rows.first_unit[4])
        group<3>(unit);
      else if (unit < rows.first_unit[5])
        group<4>(unit);
      else
        group<5>(unit);
    }
  }

  /// b + A x at a row, by a whole warp.
  __device__ __forceinline__ Sum at_row(unsigned row) const {
    const PullRows<Offset>& rows = system_.rows;
    return detail::over_lanes<kWarp>(row_sum<kWarp, Sum>(
        rows.sources, rows.begin[row], rows.begin[row + 1], lane(),
        [this](Offset e, Vertex source) { return edge_value(e, from_[source]); }));
  }
  __device__ __forceinline__ Vertex position(unsigned row) const {
    return system_.rows.positions == nullptr ? row : system_.rows.positions[row];
  }
  __device__ __forceinline__ T constant(Vertex at) const {
    return one_constant_ ? constant_ : system_.constants[at];
  }
  __device__ __forceinline__ T tolerance(Vertex at) const {
    return system_.tolerances == nullptr ? system_.tolerance : system_.tolerances[at];
  }
  /// What rounding alone may make of a residual.
  __device__ __forceinline__ T rounding(T y, const Sum& sum) const {
    return detail::kRounding<T> *
           (kCancels ? sum.size + detail::magnitude(y) : detail::magnitude(y));
  }
  __device__ __forceinline__ void set(T* iterate, Vertex at, T x) const {
    if (system_.weights == nullptr) {
      iterate[at] = x;
      return;
    }
    const T weight = system_.weights[at];
    if (detail::magnitude(weight) < detail::kLeastWeight<T>) system_.apart[at] = x;
    iterate[at] = sent(weight, x);
  }

  Totals<T> totals;

 private:
  __device__ __forceinline__ T edge_value(Offset e, T held) const {
    if constexpr (S::kEdgeValues)
      return sent(load_streaming(system_.edge_values + e), held);
    else
      return held;
  }
  __device__ __forceinline__ T value(Offset e, Vertex source) const {
    if constexpr (S::kHot)
      return edge_value(e, source < system_.rows.hot ? hot_[source] : from_[source]);
    else
      return edge_value(e, from_[source]);
  }

  /// Rows of one class, 32 / kLanes at a time.
  template <unsigned kClass>
  __device__ __forceinline__ void group(unsigned unit) {
    constexpr unsigned kLanes = kWarp >> kClass;
    const PullRows<Offset>& rows = system_.rows;
    const unsigned row = rows.first_row[kClass] +
                         (unit - rows.first_unit[kClass]) * (kWarp / kLanes) + lane() / kLanes;
    const bool is_row = row < rows.first_row[kClass + 1];
    const Offset begin = is_row ? rows.begin[row] : 0;
    const Offset end = is_row ? rows.begin[row + 1] : 0;
    const bool owns = is_row && lane() % kLanes == 0;
    // Most rows of short classes wait for memory, not for sums: everything is asked for at once.
    Held held;
    if (kLanes <= 4 && owns) held = look_up(row);
    const Sum sum = detail::over_lanes<kLanes>(
        row_sum<kLanes, Sum>(rows.sources, begin, end, lane() % kLanes,
                             [this](Offset e, Vertex source) { return value(e, source); }));
    if (kLanes > 4 && owns) held = look_up(row);
    if (owns) settle(row, held, sum, end - begin, true);
  }

  /// A piece of a long row. The warp that finishes the row's last piece adds them all up, in order.
  __device__ __forceinline__ void piece(unsigned unit) {
    const PullRows<Offset>& rows = system_.rows;
    const Piece<Offset> own = rows.pieces[unit];
    Sum sum = detail::over_lanes<kWarp>(
        row_sum<kWarp, Sum>(rows.sources, own.begin, own.end, lane(),
                            [this](Offset e, Vertex source) { return value(e, source); }));
    const unsigned first = rows.first_piece[own.row];
    const unsigned last = rows.first_piece[own.row + 1];
    unsigned before = 0;
    if (lane() == 0) {
      system_.piece_sums[unit] = sum.value;
      if constexpr (kCancels) system_.piece_sizes[unit] = sum.size;
      __threadfence();
      before = atomicAdd(&system_.pieces_done[own.row], 1u);
    }
    if (__shfl_sync(kAllLanes, before, 0) != last - first - 1) return;
    __threadfence();
    sum = Sum{};
    for (unsigned i = first + lane(); i < last; i += kWarp) {
      sum.value += load_relaxed(system_.piece_sums[i]);
      if constexpr (kCancels) sum.size += load_relaxed(system_.piece_sizes[i]);
    }
    sum = detail::over_lanes<kWarp>(sum);
    if (lane() != 0) return;
    system_.pieces_done[own.row] = 0;
    settle(own.row, look_up(own.row), sum, rows.begin[own.row + 1] - rows.begin[own.row], false);
  }

  /// What a row's vertex holds before the sweep.
  struct Held {
    Vertex at;
    T weight;
    T now;
    T before;
  };
  __device__ __forceinline__ Held look_up(unsigned row) const {
    Held held{position(row), T{1}, T{}, T{}};
    if (system_.weights != nullptr) held.weight = system_.weights[held.at];
    held.now = from_[held.at];
    if (accelerated_ || compares_) held.before = to_[held.at];
    return held;
  }

  __device__ __forceinline__ void settle(unsigned row, const Held& held, const Sum& sum,
                                         Offset edges, bool is_short) {
    const Vertex at = held.at;
    const T y = constant(at) + sum.value;
    const bool is_apart = detail::magnitude(held.weight) < detail::kLeastWeight<T>;
    const T x = is_apart ? system_.apart[at] : divide_quickly(held.now, held.weight);
    const T residual = y - x;
    const T size = detail::magnitude(residual);
    const T tolerated = tolerance(at);
    const T rounded = rounding(y, sum);
    totals.residual += size;
    if (!(size <= static_cast<T>(kListShare) * tolerated + rounded))
      list(row, edges, is_short, !(size <= tolerated + rounded));
    T next = y;
    if ((accelerated_ || compares_) && !is_apart) {
      const T before = divide_quickly(held.before, held.weight);
      if (accelerated_) {
        next = omega_ * (y - before) + before;
      } else {
        const T then = x - before;
        totals.now_now += residual * residual;
        totals.now_before += residual * then;
        totals.before_before += then * then;
      }
    }
    if (is_apart) system_.apart[at] = next;
    to_[at] = sent(held.weight, next);
  }

  /// Long rows count as all edges: work on a few rows is no work on hubs.
  __device__ __forceinline__ void list(unsigned row, Offset edges, bool is_short, bool is_above) {
    totals.above += is_above ? 1 : 0;
    totals.listed_edges +=
        static_cast<float>(is_short ? edges : system_.rows.begin[system_.rows.row_count]);
    unsigned& listed = system_.control->listed;
    if (load_relaxed(listed) > system_.list_room) return;
    const unsigned place = claim(&listed);
    if (place < system_.list_room) system_.list[place] = row;
  }

  const System<T, Offset>& system_;
  const T* hot_;
  const T* from_;
  T* to_;
  bool accelerated_;
  bool compares_;
  bool one_constant_;
  T omega_;
  T constant_;
};

}  // namespace vertigo::gpu::solve
