#pragma once
// One sweep: b + A x at every row, what is left of the equation there, and the next iterate. No
// atomics on values, and every sum in a fixed order: results repeat bit by bit.

#include "vertigo/device/worklist.cuh"
#include "vertigo/engines/solve/system.cuh"

namespace vertigo::gpu::solve {

/// How a solver is instantiated. `kHot`: the iterate's first values lie in shared memory.
/// `kCancels`: terms have both signs. `kNear`: rows are read as NearRows. `kPacked`: as PackedRows.
template <class T_, class Offset_, bool kEdgeValues_, bool kHot_, bool kCancels_,
          bool kNear_ = false, bool kPacked_ = false>
struct Shape {
  using T = T_;
  using Offset = Offset_;
  static constexpr bool kEdgeValues = kEdgeValues_;
  static constexpr bool kHot = kHot_;
  static constexpr bool kCancels = kCancels_;
  static constexpr bool kNear = kNear_;
  static constexpr bool kPacked = kPacked_;
  /// Rows may list pairs of hot positions. Only the solver for terms that cancel reads such rows
  /// without keeping the values of these in shared memory.
  static constexpr bool kPairs = !kPacked_ && (kHot_ || (kCancels_ && !kEdgeValues_));
  static constexpr unsigned kThreads = kHot_ ? 1024 : 256;
  /// Per processor, what registers are spent for: latency of short rows is hidden by many warps.
  static constexpr unsigned kBlocks = kHot_ ? 1 : sizeof(T_) == 4 ? kNear_ ? 6 : 5 : 4;
  /// Near rows that a thread works on at a time.
  static constexpr unsigned kTogether = 1;
};

namespace detail {

template <class T>
inline constexpr T kRounding = kRoundings * (sizeof(T) == 4 ? T(0x1p-24) : T(0x1p-53));
template <class T, bool kCancels>
struct RowSum {
  using Term = T;
  T value{};
  static __device__ __forceinline__ Term both(T a, T b) { return a + b; }
  __device__ __forceinline__ void add(Term a, Term b, Term c, Term d) {
    value += (a + b) + (c + d);
  }
};
/// Where terms may cancel, with the sum of their magnitudes.
template <class T>
struct RowSum<T, true> {
  struct Term {
    T value{};
    T size{};
    Term() = default;
    __device__ __forceinline__ Term(T term) : value(term), size(magnitude(term)) {}
  };
  T value{};
  T size{};
  static __device__ __forceinline__ Term both(T a, T b) {
    Term term(a);
    term.value += b;
    term.size += magnitude(b);
    return term;
  }
  __device__ __forceinline__ void add(Term a, Term b, Term c, Term d) {
    value += (a.value + b.value) + (c.value + d.value);
    size += (a.size + b.size) + (c.size + d.size);
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

/// Whether a vertex joins is looked for among so many of its in-neighbours, so many at a time.
inline constexpr unsigned kMostLookedAt = 16384;
inline constexpr unsigned kLookedAtOnce = 512;

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

/// What a sweep makes of the iterate before the current one.
enum class Look : std::uint8_t {
  Plain,        ///< nothing
  Compares,     ///< its residual, with the current one's
  Accelerates,  ///< the next iterate
};

template <class S>
class Sweep {
 public:
  using T = typename S::T;
  using Offset = typename S::Offset;
  static constexpr bool kCancels = S::kCancels;
  using Sum = detail::RowSum<T, kCancels>;
  using Term = typename Sum::Term;

  __device__ __forceinline__ Sweep(const System<T, Offset>& system, const T* hot)
      : system_(system),
        hot_(hot),
        from_(system.iterates[system.control->current]),
        to_(system.iterates[system.control->current ^ 1]),
        look_(system.control->step == Step::Chebyshev ? Look::Accelerates
              : system.control->plain > 0             ? Look::Compares
                                                      : Look::Plain),
        one_constant_(system.control->one_constant),
        all_take_part_(system.control->all_take_part),
        omega_(static_cast<T>(system.control->omega)),
        constant_(static_cast<T>(system.control->constant)) {}

  /// A thread's rows, kTogether of them at a time: each waits twice for memory, once for what it
  /// knows of its row and once for what its in-neighbours hold.
  __device__ __forceinline__ void run_near(unsigned first, unsigned stride) {
    if (look_ == Look::Accelerates)
      run_near<Look::Accelerates>(first, stride);
    else if (look_ == Look::Compares)
      run_near<Look::Compares>(first, stride);
    else
      run_near<Look::Plain>(first, stride);
  }

  __device__ __forceinline__ void run(unsigned warp, unsigned warps) {
    unsigned unit = warp;
    for (; unit < system_.rows.piece_count; unit += warps) piece(unit);
    groups<0>(unit, warps);
    groups<1>(unit, warps);
    groups<2>(unit, warps);
    groups<3>(unit, warps);
    groups<4>(unit, warps);
    groups<5>(unit, warps);
  }

  /// b + A x at a row, by a whole warp.
  __device__ __forceinline__ Sum at_row(unsigned row) const {
    const PullRows<Offset>& rows = system_.rows;
    const Offset begin = rows.begin[row];
    const Offset paired = pairs_end(row, begin);
    return words(begin, rows.begin[row + 1], [this, paired](Offset e, Vertex word) -> Term {
      if (S::kPairs && e < paired) return Sum::both(from_[word & 0xffffu], from_[word >> 16]);
      return edge_value(e, from_[word]);
    });
  }
  /// Whether what comes in at a row from those whose b passes their guards passes the row's own, by
  /// a whole warp, as far as it looks. In-neighbours with many out-edges, which as a rule send
  /// little along each, come first in a row and are asked last. For systems with weights.
  __device__ __forceinline__ bool joins(unsigned row) const {
    const PullRows<Offset>& rows = system_.rows;
    const Vertex at = position(row);
    const Offset begin = rows.begin[row];
    const Offset paired = pairs_end(row, begin);
    Offset end = rows.begin[row + 1];
    const Offset least = end - begin > kMostLookedAt ? end - kMostLookedAt : begin;
    T came_in = constant(at);
    while (end > least) {
      const Offset first = end - least > kLookedAtOnce ? end - kLookedAtOnce : least;
      came_in += words(first, end, [this, paired](Offset e, Vertex word) -> Term {
                   if (S::kPairs && e < paired)
                     return Sum::both(first_sent(word & 0xffffu), first_sent(word >> 16));
                   return first_sent(word);
                 }).value;
      if (takes_part(T{0}, came_in, tolerance(at))) return true;
      end = first;
    }
    return false;
  }
  __device__ __forceinline__ Vertex position(unsigned row) const {
    return system_.rows.positions == nullptr ? row : system_.rows.positions[row];
  }
  __device__ __forceinline__ T constant(Vertex at) const {
    return one_constant_ ? constant_ : system_.constants[at];
  }
  __device__ __forceinline__ T tolerance(Vertex at) const { return tolerance_at(system_, at); }
  /// What rounding alone may make of a residual.
  __device__ __forceinline__ T rounding(T y, const Sum& sum) const {
    T size = detail::magnitude(y);
    if constexpr (kCancels) size += sum.size;
    return detail::kRounding<T> * size;
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

 protected:
  __device__ __forceinline__ T edge_value(Offset e, T held) const {
    if constexpr (S::kEdgeValues)
      return sent(load_streaming(system_.edge_values + e), held);
    else
      return held;
  }
  __device__ __forceinline__ Term value(Offset e, Offset paired, Vertex word) const {
    const T* const first = S::kHot ? hot_ : from_;
    if (S::kPairs && e < paired) return Sum::both(first[word & 0xffffu], first[word >> 16]);
    if constexpr (S::kHot)
      return word < system_.rows.hot ? hot_[word] : from_[word];
    else
      return edge_value(e, from_[word]);
  }
  __device__ __forceinline__ Offset pairs_end(unsigned row, Offset begin) const {
    if constexpr (S::kPairs)
      return system_.rows.pairs == nullptr ? begin : begin + system_.rows.pairs[row];
    else
      return begin;
  }

  /// What a lane has to know before it can read its row.
  struct Row {
    Offset begin = 0;
    Offset end = 0;
    Offset paired = 0;  ///< where its pairs end
    Vertex at = kNoVertex;
  };
  /// The sum over some of a row's words, by a whole warp.
  template <class Value>
  __device__ __forceinline__ Sum words(Offset begin, Offset end, const Value& value) const {
    return detail::over_lanes<kWarp>(
        row_sum<kWarp, Sum>(system_.rows.sources, begin, end, lane(), value));
  }
  /// What the vertex at a position sends first.
  __device__ __forceinline__ T first_sent(Vertex at) const {
    return starts(system_, at) ? sent(system_.weights[at], constant(at)) : T{0};
  }

  template <unsigned kClass>
  __device__ __forceinline__ unsigned row_of(unsigned unit) const {
    const PullRows<Offset>& rows = system_.rows;
    return rows.first_row[kClass] + ((unit - rows.first_unit[kClass]) << kClass) +
           lane() / (kWarp >> kClass);
  }
  template <unsigned kClass>
  __device__ __forceinline__ Row look_ahead(unsigned unit) const {
    const PullRows<Offset>& rows = system_.rows;
    const unsigned row = row_of<kClass>(unit);
    if (row >= rows.first_row[kClass + 1]) return {};
    const Offset begin = rows.begin[row];
    return {begin, rows.begin[row + 1], pairs_end(row, begin), position(row)};
  }

  /// Rows of one class, 32 / kLanes at a time. The next ones are looked up while these are summed.
  template <unsigned kClass>
  __device__ __forceinline__ void groups(unsigned& unit, unsigned warps) {
    constexpr unsigned kLanes = kWarp >> kClass;
    const unsigned end = system_.rows.first_unit[kClass + 1];
    if (unit >= end) return;
    Row next = look_ahead<kClass>(unit);
    for (; unit < end; unit += warps) {
      const Row row = next;
      next = {};
      if (unit + warps < end) next = look_ahead<kClass>(unit + warps);
      const bool owns = row.at != kNoVertex && lane() % kLanes == 0;
      // Most rows of short classes wait for memory, not for sums: everything is asked for at once.
      Held held;
      if (kLanes <= 4 && owns) held = look_up(row.at);
      const Sum sum = detail::over_lanes<kLanes>(row_sum<kLanes, Sum>(
          system_.rows.sources, row.begin, row.end, lane() % kLanes,
          [this, &row](Offset e, Vertex word) { return value(e, row.paired, word); }));
      if (kLanes > 4 && owns) held = look_up(row.at);
      if (owns)
        settle(row_of<kClass>(unit), held, sum,
               [&] { return static_cast<float>(row.end - row.begin + (row.paired - row.begin)); });
    }
  }

  /// A piece of a long row. The warp that finishes the row's last piece adds them all up, in order.
  __device__ __forceinline__ void piece(unsigned unit) {
    const PullRows<Offset>& rows = system_.rows;
    const Piece<Offset> own = rows.pieces[unit];
    Sum sum = detail::over_lanes<kWarp>(row_sum<kWarp, Sum>(
        rows.sources, own.begin, own.end, lane(),
        [this, &own](Offset e, Vertex word) { return value(e, own.pairs_end, word); }));
    finish_piece(unit, own, sum);
  }
  __device__ __forceinline__ void finish_piece(unsigned unit, const Piece<Offset>& own, Sum sum) {
    const PullRows<Offset>& rows = system_.rows;
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
    // Long rows count as all edges: work on a few rows is no work on hubs.
    settle(own.row, look_up(position(own.row)), sum,
           [&] { return static_cast<float>(rows.edge_count); });
  }

  /// What a row's vertex holds before the sweep, and what may be left there.
  struct Held {
    Vertex at;
    T weight;
    T now;
    T before;
    T tolerated;
  };
  __device__ __forceinline__ Held look_up(Vertex at) const {
    return look_ == Look::Plain ? held_at<Look::Plain>(at) : held_at<Look::Compares>(at);
  }
  template <Look kLook>
  __device__ __forceinline__ Held held_at(Vertex at) const {
    Held held{at, T{1}, T{}, T{}, tolerance(at)};
    if (system_.weights != nullptr) held.weight = system_.weights[at];
    held.now = from_[at];
    if constexpr (kLook != Look::Plain) held.before = to_[at];
    return held;
  }

  struct NearRow {
    std::uint32_t first;
    std::uint32_t second;
    Held held;
  };
  template <Look kLook>
  __device__ __forceinline__ void run_near(unsigned first, unsigned stride) {
    constexpr unsigned kTogether = S::kTogether;
    const NearRows& near = system_.rows.near;
    const unsigned count = system_.rows.vertex_count;
    for (unsigned start = first; start < count; start += kTogether * stride) {
      NearRow rows[kTogether];
#pragma unroll
      for (unsigned i = 0; i < kTogether; ++i)
        if (const unsigned at = start + i * stride; at < count)
          rows[i] = {load_streaming(near.first + at), load_streaming(near.second + at),
                     held_at<kLook>(at)};
      Sum sums[kTogether];
#pragma unroll
      for (unsigned i = 0; i < kTogether; ++i)
        if (start + i * stride < count) sums[i] = near_sum(rows[i]);
#pragma unroll
      for (unsigned i = 0; i < kTogether; ++i)
        if (start + i * stride < count)
          settle<kLook>(rows[i].held.at, rows[i].held, sums[i],
                        [&] { return near_edges(rows[i]); });
    }
  }
  __device__ __forceinline__ Sum near_sum(const NearRow& row) const {
    const Vertex at = row.held.at;
    if (row.first == kFarRow) return far_sum(system_, from_, at);
    const auto brings = [&](std::uint32_t distance) {
      // The sign of 16 bits is that of the distance.
      return distance == kNoSource
                 ? T{0}
                 : from_[at + static_cast<Vertex>(static_cast<std::int16_t>(distance))];
    };
    Sum sum;
    sum.add(brings(row.first & 0xffffu), brings(row.first >> 16), brings(row.second & 0xffffu),
            brings(row.second >> 16));
    return sum;
  }
  /// Called, so that few rows do not take registers from all.
  static __device__ __noinline__ Sum far_sum(const System<T, Offset>& system, const T* from,
                                             unsigned row) {
    return row_sum<1, Sum>(system.rows.sources, system.rows.begin[row], system.rows.begin[row + 1],
                           0, [from](Offset, Vertex source) { return from[source]; });
  }
  __device__ __forceinline__ unsigned near_edges(const NearRow& row) const {
    if (row.first == kFarRow) return row_edges(row.held.at);
    const auto counts = [](std::uint32_t distance) { return distance == kNoSource ? 0u : 1u; };
    return counts(row.first & 0xffffu) + counts(row.first >> 16) + counts(row.second & 0xffffu) +
           counts(row.second >> 16);
  }
  __device__ __forceinline__ unsigned row_edges(unsigned row) const {
    return static_cast<unsigned>(system_.rows.begin[row + 1] - system_.rows.begin[row]);
  }

  /// `edges()` is asked for where the row is listed.
  template <class Edges>
  __device__ __forceinline__ void settle(unsigned row, const Held& held, const Sum& sum,
                                         const Edges& edges) {
    if (look_ == Look::Plain)
      settle<Look::Plain>(row, held, sum, edges);
    else if (look_ == Look::Compares)
      settle<Look::Compares>(row, held, sum, edges);
    else
      settle<Look::Accelerates>(row, held, sum, edges);
  }
  template <Look kLook, class Edges>
  __device__ __forceinline__ void settle(unsigned row, const Held& held, const Sum& sum,
                                         const Edges& edges) {
    const Vertex at = held.at;
    const T y = constant(at) + sum.value;
    const bool is_apart = detail::magnitude(held.weight) < detail::kLeastWeight<T>;
    const T x = is_apart ? system_.apart[at] : divide_quickly(held.now, held.weight);
    const T tolerated = held.tolerated;
    if (!all_take_part_ && !takes_part(x, y, tolerated)) {
      // Pushes go on from what has come in.
      system_.apart[at] = is_apart ? T{0} : y;
      to_[at] = 0;
      return;
    }
    const T residual = y - x;
    const T size = detail::magnitude(residual);
    const T rounded = rounding(y, sum);
    totals.residual += size;
    if (!(size <= static_cast<T>(kListShare) * tolerated + rounded))
      list(row, edges(), !(size <= tolerated + rounded));
    T next = y;
    if (kLook != Look::Plain && !is_apart) {
      const T before = divide_quickly(held.before, held.weight);
      if constexpr (kLook == Look::Accelerates) {
        next = omega_ * (y - before) + before;
        // Without a sign anywhere the solution has none.
        if (!S::kCancels && next < 0) next = 0;
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

  __device__ __forceinline__ void list(unsigned row, float edges, bool is_above) {
    totals.above += is_above ? 1 : 0;
    totals.listed_edges += edges;
    if (list_is_full_) return;  // or all rows of a sweep would read one word
    unsigned& listed = system_.control->listed;
    list_is_full_ = load_relaxed(listed) > kLocalRows;
    if (list_is_full_) return;
    const unsigned place = claim(&listed);
    if (place < kLocalRows) system_.list[place] = row;
  }

  const System<T, Offset>& system_;
  const T* hot_;
  const T* from_;
  T* to_;
  Look look_;
  bool one_constant_;
  bool all_take_part_;
  T omega_;
  T constant_;
  bool list_is_full_ = false;
};

}  // namespace vertigo::gpu::solve
