#pragma once
// What the engine `distances` asks of its program, and how it keeps edges.
//
// A program improves one value per vertex: `sent(value, weight)` is what a vertex with `value`
// sends along an edge. It is never better than `value`, and grows worse (or stays) as the value or
// the weight does. "Better" is smaller for a minimum and larger for a maximum, so a list of edges
// that is sorted from the best weight to the worst is sorted by what it sends, whatever the value.
//
// Conditions keep messages from some of the edges and vertices. A list in which some edges are
// silent is still sorted by what it could send, so every bound is taken without them, and they are
// asked only where a message arrives. What is silent now may speak once its value has improved,
// when the list is looked at again; it never falls silent.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/buffers.cuh"
#include "vertigo/device/step_log.cuh"

namespace vertigo::gpu::distances {

/// Which way values improve.
template <class Combine>
inline constexpr bool kDownwards = false;
template <>
inline constexpr bool kDownwards<Min> = true;

template <class Combine>
struct Order {
  template <class T>
  VERTIGO_INLINED static bool better(T a, T b) {
    return kDownwards<Combine> ? a < b : b < a;
  }
  template <class T>
  VERTIGO_INLINED static T best(T a, T b) {
    return better(b, a) ? b : a;
  }
  /// The identity of the combination: no message is worse.
  template <class T>
  VERTIGO_INLINED static constexpr T worst() {
    return kDownwards<Combine> ? kInfinity<T> : kLowest<T>;
  }
  /// No message is better.
  template <class T>
  VERTIGO_INLINED static constexpr T unbeaten() {
    return kDownwards<Combine> ? kLowest<T> : kInfinity<T>;
  }
  /// The value `width` worse than `value`. Where the type has no such value (a floating sum may
  /// absorb the width), the worst: a threshold that is moved always moves.
  template <class T>
  VERTIGO_INLINED static T behind(T value, T width) {
    const T moved =
        kDownwards<Combine> ? gpu::detail::add_clamped(value, width) : lower(value, width);
    return better(value, moved) ? moved : worst<T>();
  }
  /// Leaves the better one at `address` and returns what was there.
  template <class T>
  __device__ static T improve(T* address, T value) {
    return gpu::detail::extremum<kDownwards<Combine>>(address, value);
  }

 private:
  template <class T>
  VERTIGO_INLINED static T lower(T value, T width) {
    if constexpr (gpu::detail::kIsFloat<T>)
      return value - width;
    else
      return value < kLowest<T> + width ? kLowest<T> : value - width;
  }
};

/// Target and weight in one word: target << weight_bits | distance from the best weight.
struct NarrowEdge {
  std::uint32_t bits;
};

template <class Weight>
struct alignas(2 * sizeof(Weight) > 8 ? 2 * sizeof(Weight) : 8) WideEdge {
  Vertex target;
  Weight weight;
};

/// First edges of a vertex that are kept side by side, so that one load brings them.
inline constexpr unsigned kHeads = 4;

template <class Edge>
struct alignas(kHeads * sizeof(Edge) < 16 ? kHeads * sizeof(Edge) : 16) Heads {
  Edge edges[kHeads];
};

/// How to read an edge. Only integral weights have more than zero bits in a NarrowEdge.
template <class Combine, class Weight>
struct EdgeCode {
  unsigned weight_bits = 0;
  Weight best_weight{};

  VERTIGO_INLINED Vertex target(NarrowEdge edge) const { return edge.bits >> weight_bits; }
  VERTIGO_INLINED Weight weight(NarrowEdge edge) const {
    if constexpr (gpu::detail::kIsFloat<Weight>) {
      return best_weight;
    } else {
      const auto worse = static_cast<Weight>(edge.bits & ((1u << weight_bits) - 1));
      return static_cast<Weight>(kDownwards<Combine> ? best_weight + worse : best_weight - worse);
    }
  }
  VERTIGO_INLINED Vertex target(const WideEdge<Weight>& edge) const { return edge.target; }
  VERTIGO_INLINED Weight weight(const WideEdge<Weight>& edge) const { return edge.weight; }
};

/// Edges of v: edges[offsets[v] .. offsets[v + 1]). The engine is for graphs of fewer than 2^32
/// edges.
template <class Edge>
struct EdgeLists {
  const std::uint32_t* offsets = nullptr;
  const Edge* edges = nullptr;
};

/// What a core of the in-lists leaves out: of list v the edges from `core[v + 1] - core[v]` on.
template <class Edge, class Weight>
struct LeftOut {
  EdgeLists<Edge> whole;
  const std::uint32_t* core = nullptr;  ///< null: there is no core
  const Weight* best = nullptr;         ///< no edge that was left out of a list is better
};

/// What the kernels are told besides the arrays.
template <class ProgramType, class EdgeType, class WeightType>
struct Problem {
  using Program = ProgramType;
  using Edge = EdgeType;
  using Weight = WeightType;
  using Combine = typename Program::Combine;
  using Value = typename Program::Value;
  using Order = distances::Order<Combine>;

  Program program;
  EdgeCode<Combine, Weight> code;
  EdgeLists<Edge> out;
  EdgeLists<Edge> in;  ///< where the engine pulls
  /// Where it pulls: the best weight of an in-edge, the worst of all numbers without one.
  const Weight* best_in = nullptr;
  // Where `out` and `in` are a core of the graph.
  LeftOut<Edge, Weight> left_out;
  Adjacency<Weight> every_out;
  Value* state = nullptr;
  const Value* inbox = nullptr;
  Vertex vertex_count = 0;
  std::uint32_t edge_count = 0;
  Value width{};       ///< of the window of values that are worked on together
  bool adapts = true;  ///< false: the width is pinned
  std::uint64_t most_rounds = 0;
  bool limited = false;  ///< most_rounds is a limit that somebody asked for
  StepLog log;

  /// What the user pins, else what the graph suggests.
  __device__ __forceinline__ Value window_width() const {
    if constexpr (Program::kPinsWidth)
      return program.operators.window_width();
    else
      return width;
  }
  __device__ __forceinline__ Value message(Value value, const Edge& edge, Vertex sender,
                                           Vertex receiver) const {
    return program.sent_to(value, sender, receiver, code.weight(edge));
  }
  /// What a sender of that value says along an edge, to whomever: no message of it is better. It
  /// gets no better along a sorted list.
  __device__ __forceinline__ Value message_to_any(Value value, const Edge& edge,
                                                  Vertex sender) const {
    return program.sent_by(value, sender, code.weight(edge));
  }
  /// Nobody of that value sends anything better along an edge.
  __device__ __forceinline__ Value bound_of(Value value, const Edge& edge) const {
    return program.sent(value, code.weight(edge));
  }
  /// Whether `message`, which `sender` sends with `value` along an edge, reaches its end, if it
  /// sends.
  __device__ __forceinline__ bool reaches(Value value, Vertex sender, Vertex receiver,
                                          const Edge& edge, Value message) const {
    return program.passes(value, sender, receiver, code.weight(edge)) &&
           program.receives(message, receiver);
  }
  /// The message along an in-edge of `receiver`; one that helps nobody where none arrives.
  __device__ __forceinline__ Value fetched(const Edge& edge, Vertex receiver) const {
    const Vertex sender = code.target(edge);
    const Value value = load_recent(state + sender);
    const Value sent = message(value, edge, sender, receiver);
    if (!program.sends(sender) || !reaches(value, sender, receiver, edge, sent))
      return Order::template worst<Value>();
    return sent;
  }
};

/// A vertex and the value that it had when it was listed; it is stale once the vertex has a better
/// one.
template <class Value>
struct alignas(2 * sizeof(Value)) Entry {
  Vertex vertex;
  Value value;
};

/// Counters are cleared two rounds before they are used: while one round's are read and the next
/// one's are written, nobody touches them.
inline constexpr unsigned kRounds = 4;

namespace detail {

template <class Order, class Value>
__device__ __forceinline__ Value best_of_warp(Value value) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance != 0; distance /= 2)
    value = Order::best(value, shuffle(value, lane() ^ distance));
  return value;
}

template <class T>
__device__ __forceinline__ T sum_of_warp(T value) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance != 0; distance /= 2)
    value += shuffle(value, lane() ^ distance);
  return value;
}

/// By every thread of the grid, which all keep the same totals; one of them writes.
__device__ __forceinline__ void log_round(const StepLog& log, LoopTotals& totals, StepRecord step) {
  if (log.records != nullptr && totals.steps < log.capacity && blockIdx.x == 0 &&
      threadIdx.x == 0) {
    step.end_ns = global_nanoseconds();
    log.records[totals.steps] = step;
  }
  ++totals.steps;
  totals.active_vertices += step.active_vertices;
  totals.edges += step.edges;
  totals.modes |= 1u << step.mode;
}

__device__ __forceinline__ void end_log(const StepLog& log, LoopTotals totals, bool done,
                                        bool limited) {
  totals.end = done ? LoopEnd::Done : limited ? LoopEnd::StepLimit : LoopEnd::NoFixedPoint;
  if (blockIdx.x == 0 && threadIdx.x == 0) *log.totals = totals;
}

}  // namespace detail
}  // namespace vertigo::gpu::distances
