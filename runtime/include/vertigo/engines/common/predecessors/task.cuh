#pragma once
// What the kernels that look witnesses up (device.cuh) are given, and what they share.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/graph.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/device/tuple.cuh"

namespace vertigo::gpu::predecessors {

/// The operators as an engine of plain values asks for them.
template <class Operators>
struct Values : Operators {
  static constexpr bool sends_pairs = false;
  static constexpr bool knows_initial = true;
  VERTIGO_INLINED auto initial() const { return get<0>(Operators::initial()); }
};

/// Words of the device, zero before each run.
struct Words {
  unsigned long long best_start;  ///< bits that ascend as start values get better
  std::uint32_t long_lists;
  std::uint32_t changed[3];     ///< in turns: a witness alone made a vertex active
  unsigned long long begin_ns;  ///< of the first kernel, where a trace was asked for
};

/// Levels of a search for which it is asked whether they push.
inline constexpr unsigned kPushedLevels = 16;

/// The bits of a value of up to eight bytes.
template <class Value>
__device__ __forceinline__ unsigned long long bits_of(Value value) {
  return gpu::detail::bits_as<gpu::detail::Word<Value>>(value);
}

/// What predecessors/push.cuh found and left to do.
struct PushedLevels {
  unsigned long long edges[2][kPushedLevels + 1];  ///< by level: out-edges, in-edges
  unsigned long long known[kPushedLevels];         ///< bits of the values whose witnesses are known
  std::uint32_t known_count;
  std::uint32_t chunks;
};

/// In-edges as they are in the graph.
template <class WeightType>
struct PlainLists {
  using Weight = WeightType;

  Adjacency<Weight> in;
  const unsigned long long* descents = nullptr;  ///< null: the order of ids is not known
  const PushedLevels* pushed = nullptr;          ///< null: all witnesses are to be found

  struct Edge {
    Vertex sender;
    Weight weight;
  };
  __device__ __forceinline__ EdgeIndex begin(Vertex v) const { return in.offsets[v]; }
  __device__ __forceinline__ EdgeIndex end(Vertex v) const { return in.offsets[v + 1]; }
  __device__ __forceinline__ Edge edge(EdgeIndex e) const {
    return {load_constant(in.targets + e), gpu::detail::attribute(in, e)};
  }
  __device__ __forceinline__ bool ids_ascend() const {
    return descents != nullptr && *descents == 0;
  }
  template <class Value>
  __device__ __forceinline__ bool is_known(Value value) const {
    if (pushed == nullptr) return false;
    for (unsigned i = 0; i < pushed->known_count; ++i)
      if (pushed->known[i] == bits_of(value)) return true;
    return false;
  }
  /// From the best one to the worst, as the engine `distances` says it.
  __device__ __forceinline__ bool weights_sorted() const { return false; }
};

/// Lists from this length on are deferred to whole blocks, once a warp has looked at so many edges.
inline constexpr unsigned kLongList = 1024;
inline constexpr unsigned kLookupThreads = 256;

template <class OperatorsType, class ListsType, class InboxType>
struct Task {
  using Operators = OperatorsType;
  using Lists = ListsType;
  using Inbox = InboxType;
  using Pair = decltype(Operators{}.initial());
  using Value = decltype(get<0>(Pair{}));
  using Witness = decltype(get<1>(Pair{}));

  Operators operators;
  Lists lists;
  Vertex vertex_count;
  const Value* values;
  const Value* start_values;
  const Inbox* starts;
  Pair* states;
  Words* words;
  Vertex* long_lists;
  StepLog log;
};

namespace detail {

template <class Operators, class Value>
struct Order {
  static constexpr bool kDown = Operators::minimizes;
  template <class T>
  VERTIGO_INLINED static bool better(T a, T b) {
    return kDown ? a < b : b < a;
  }
  template <class T>
  VERTIGO_INLINED static T best(T a, T b) {
    return better(b, a) ? b : a;
  }
  template <class T>
  static constexpr T kWorst = kDown ? kInfinity<T> : kLowest<T>;
  /// As wide as a value: what threads compare should not be wider.
  using Rank = gpu::detail::Word<Value>;
  /// Ascending as values get better, above zero.
  VERTIGO_INLINED static Rank rank(Value value) {
    const auto bits = static_cast<Rank>(vertigo::detail::ordered_bits(value));
    return kDown ? ~bits : bits;
  }
  __device__ __forceinline__ static Value best_start(const Words& words) {
    const auto rank = static_cast<Rank>(load_relaxed(words.best_start));
    return vertigo::detail::from_ordered_bits<Value>(static_cast<Rank>(kDown ? ~rank : rank));
  }
};

__device__ __forceinline__ void begin_trace(const StepLog& log, Words& words) {
  if (log.records == nullptr || blockIdx.x != 0 || threadIdx.x != 0) return;
  if (load_relaxed(words.begin_ns) == 0) store_relaxed(words.begin_ns, global_nanoseconds());
}
__device__ __forceinline__ void add_edges(const StepLog& log, unsigned long long edges) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance != 0; distance /= 2)
    edges += shuffle(edges, lane() ^ distance);
  if (lane() == 0 && edges != 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(&log.totals->edges), edges);
}

}  // namespace detail
}  // namespace vertigo::gpu::predecessors
