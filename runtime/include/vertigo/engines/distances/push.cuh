#pragma once
// Pushing along sorted lists: what a sweep over the vertices, or a list of them, has to deliver,
// and its delivery (sorted.cuh says how they follow each other).

#include "vertigo/engines/distances/edges.cuh"

namespace vertigo::gpu::distances {

/// What a vertex has delivered.
template <class Value>
struct alignas(2 * sizeof(Value)) Delivered {
  Value value;  ///< its value when it last sent
  Value next;   ///< the best message that was left; the worst value where none was
};

/// Edges first .. first + count, along which `value` is to be sent.
template <class Value, bool kNamesSender>
struct alignas(16) Delivery {
  std::uint32_t first;
  std::uint32_t count;
  Value value;
};
/// And from whom, where conditions ask for it.
template <class Value>
struct alignas(16) Delivery<Value, true> {
  std::uint32_t first;
  std::uint32_t count;
  Value value;
  Vertex sender;
};

/// Lists longer than this are cut into chunks that a warp takes alone; shorter ones are shared out
/// edge by edge, 32 lists to a warp.
inline constexpr std::uint32_t kShortList = 64;
inline constexpr std::uint32_t kChunk = 128;

inline constexpr std::uint32_t kNeverSent = ~std::uint32_t{0};
inline constexpr unsigned kSortedThreads = 768;

/// What the threads of one round tell each other.
template <class Value>
struct Round {
  unsigned long long deliveries;  ///< short lists << 32 | chunks
  unsigned long long edges;       ///< to be delivered, or pulled
  unsigned long long met_edges;   ///< edges of vertices that send for the first time
  std::uint32_t active;           ///< vertices that deliver, or that a pull improved
  Value ahead;                    ///< the best message or value that the threshold holds back
  Value behind;  ///< the best value among vertices with something left to send; pull: improved
  // Of those who improved, for the next round. Some blocks deliver while others still read what was
  // collected, so nothing above changes meanwhile but `ahead`, which matters at the end.
  std::uint32_t listed;  ///< beyond the capacity, too
  Value best_listed;
  unsigned long long listed_edges;  ///< of those that were not reached before
};

/// Modes in the log.
enum SortedMode : std::uint32_t { kLookMode, kPushMode, kListMode, kPullMode, kRestMode };

template <class P>
struct SortedRun : P {
  using Value = typename P::Value;
  using Delivery = distances::Delivery<Value, P::Program::kAsksEnds>;

  Delivered<Value>* delivered = nullptr;  ///< of vertices that sent
  /// Per vertex: the first edge that was not delivered; kNeverSent before it sends.
  std::uint32_t* next_edge = nullptr;
  Delivery* short_lists = nullptr;
  Delivery* chunks = nullptr;
  Round<Value>* rounds = nullptr;  ///< kRounds of them, used in turn
  Entry<Value>* lists[2] = {};     ///< vertices that improved, by one round for the next
  std::uint32_t list_capacity = 0;
};

/// Of one block: how it claims places for deliveries.
struct Claims {
  unsigned long long before_warp[kWarp];
  unsigned long long base;
};

namespace detail {

/// Sum over this lane and the lanes below it.
template <class T>
__device__ __forceinline__ T sum_up_to_lane(T value) {
#pragma unroll
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const T below = shuffle(value, (lane() - distance) & (kWarp - 1));
    if (lane() >= distance) value += below;
  }
  return value;
}

/// The first edge in [low, end) whose message is not better than `bound`. A step asks at several
/// places at once, because it lasts as long as one read of memory; the first ones lie close to the
/// beginning, where most lists end.
template <class P>
__device__ __forceinline__ std::uint32_t first_not_better(const P& p, std::uint32_t low,
                                                          std::uint32_t end,
                                                          typename P::Value value, Vertex sender,
                                                          typename P::Value bound) {
  constexpr unsigned kProbes = 4;
  if (bound == P::Order::template worst<typename P::Value>()) return end;
  // Edges before `first` are better, those from `high` on are not.
  std::uint64_t first = low;
  std::uint64_t high = end;
  const auto ask = [&](const auto& place) {
    bool better[kProbes];
#pragma unroll
    for (unsigned i = 0; i < kProbes; ++i)
      better[i] =
          place(i) < high &&
          P::Order::better(p.message_to_any(value, load_constant(p.out.edges + place(i)), sender),
                           bound);
#pragma unroll
    for (unsigned i = 0; i < kProbes; ++i) {
      const std::uint64_t probe = place(i);
      if (better[i])
        first = probe + 1;
      else if (probe < high)
        high = probe;
    }
  };
  ask([low](unsigned i) { return low + (4ull << 4 * i) - 1; });
  while (first < high) {
    const std::uint64_t from = first;
    const std::uint64_t step = (high - first) / (kProbes + 1) + 1;
    ask([from, step](unsigned i) { return from + step * (i + 1) - 1; });
  }
  return static_cast<std::uint32_t>(first);
}

/// Where the caller's deliveries go: one addition per block. All threads of the block call it.
__device__ __forceinline__ unsigned long long claim_in_block(unsigned long long* counter,
                                                             unsigned long long mine,
                                                             Claims& shared) {
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned long long up_to_lane = sum_up_to_lane(mine);
  if (lane() == kWarp - 1) shared.before_warp[warp] = up_to_lane;
  __syncthreads();
  if (warp == 0) {
    const unsigned long long of_warp = lane() < blockDim.x / kWarp ? shared.before_warp[lane()] : 0;
    const unsigned long long up_to_warp = sum_up_to_lane(of_warp);
    shared.before_warp[lane()] = up_to_warp - of_warp;
    if (lane() == kWarp - 1) shared.base = up_to_warp != 0 ? atomicAdd(counter, up_to_warp) : 0;
  }
  __syncthreads();
  const unsigned long long place = shared.base + shared.before_warp[warp] + up_to_lane - mine;
  __syncthreads();  // the next call writes again
  return place;
}

/// What is to be delivered for one vertex: edges first .. last.
struct Span {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// A thread's share of a round; a warp's edges are fewer than 2^32.
template <class Value>
struct Tallied {
  std::uint32_t edges = 0;
  std::uint32_t met_edges = 0;
  std::uint32_t active = 0;
  Value ahead;
  Value behind;
};

/// The best of all threads' values arrives at `place`.
template <class Order, class Value>
__device__ __forceinline__ void note_best(Value* place, Value mine) {
  const Value best = best_of_warp<Order>(mine);
  // Thousands of warps, which mostly have nothing to say, would wait for the same word.
  if (lane() == 0 && best != Order::template worst<Value>() &&
      Order::better(best, load_relaxed(*place)))
    Order::improve(place, best);
}

template <class Order, class Value>
__device__ __forceinline__ void add_tallied(Round<Value>* round, const Tallied<Value>& mine) {
  note_best<Order>(&round->ahead, mine.ahead);
  note_best<Order>(&round->behind, mine.behind);
  const bool has_any = (mine.edges | mine.met_edges | mine.active) != 0;
  if (__ballot_sync(kAllLanes, has_any) == 0) return;
  const auto edges = sum_of_warp(mine.edges);
  const auto met_edges = sum_of_warp(mine.met_edges);
  const auto active = sum_of_warp(mine.active);
  if (lane() != 0) return;
  if (edges != 0) atomicAdd(&round->edges, static_cast<unsigned long long>(edges));
  if (met_edges != 0) atomicAdd(&round->met_edges, static_cast<unsigned long long>(met_edges));
  if (active != 0) atomicAdd(&round->active, active);
}

/// An element by a number that is not known when compiling; the array stays in registers.
template <class T, unsigned kMany>
__device__ __forceinline__ T chosen(const T (&from)[kMany], unsigned number) {
  T element = from[0];
#pragma unroll
  for (unsigned i = 1; i < kMany; ++i)
    if (i == number) element = from[i];
  return element;
}

/// Of a few vertices in a row, one thread's: what waits to be delivered. Bit i: the i-th.
struct Waiting {
  unsigned sends = 0;     ///< ahead of the threshold
  unsigned improved = 0;  ///< its value, so that its whole list is to be delivered again
};

/// Looks at vertex v, the i-th, of the given value. `unreached`: the state that all begin with.
template <class R>
__device__ __forceinline__ void look_at(const R& r, std::uint64_t v, unsigned i,
                                        typename R::Value value, typename R::Value threshold,
                                        typename R::Value unreached, Waiting& waiting,
                                        Tallied<typename R::Value>& tallied) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  if (!Order::better(value, unreached)) return;
  Delivered<Value> before{unreached, kWorst};
  if (load_relaxed(r.next_edge[v]) != kNeverSent) before = load_once(r.delivered + v);
  const bool improved = Order::better(value, before.value);
  if (!improved && before.next == kWorst) return;
  const Value best = improved ? value : before.next;
  if (Order::better(best, threshold)) {
    waiting.sends |= 1u << i;
    if (improved) waiting.improved |= 1u << i;
  } else {
    tallied.ahead = Order::best(tallied.ahead, best);
    tallied.behind = Order::best(tallied.behind, value);
  }
}

template <class R>
__device__ __forceinline__ typename R::Delivery delivery_of(std::uint32_t first,
                                                            std::uint32_t count,
                                                            typename R::Value value,
                                                            [[maybe_unused]] Vertex sender) {
  if constexpr (R::Program::kAsksEnds)
    return {first, count, value, sender};
  else
    return {first, count, value};
}

/// Decides how far vertex v sends in this round, and remembers it. Who is `listed` has been
/// counted.
template <class R>
__device__ __forceinline__ Span span_of(const R& r, std::uint64_t v, typename R::Value value,
                                        bool improved, bool listed, typename R::Value threshold,
                                        Tallied<typename R::Value>& tallied) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  const std::uint32_t begin = load_constant(r.out.offsets + v);
  const std::uint32_t end = load_constant(r.out.offsets + v + 1);
  const std::uint32_t next_edge = r.next_edge[v];
  if (next_edge == kNeverSent && !listed) tallied.met_edges += end - begin;
  const std::uint32_t first = !improved ? next_edge : r.program.sends(v) ? begin : end;
  const std::uint32_t last =
      first_not_better(r, first, end, value, static_cast<Vertex>(v), threshold);
  Value next = kWorst;
  if (last != end)
    next = r.message_to_any(value, load_constant(r.out.edges + last), static_cast<Vertex>(v));
  if (next != kWorst) {
    tallied.ahead = Order::best(tallied.ahead, next);
    tallied.behind = Order::best(tallied.behind, value);
  }
  r.delivered[v] = {value, next};
  r.next_edge[v] = last;
  tallied.edges += last - first;
  tallied.active += last != first;
  return {first, last};
}

/// Places in the lists of deliveries that a span takes.
__device__ __forceinline__ unsigned long long places_of(const Span& span) {
  const std::uint32_t count = span.last - span.first;
  if (count > kShortList) return (count + kChunk - 1) / kChunk;
  return count != 0 ? 1ull << 32 : 0;
}

/// Lists the delivery of a span at `place`, and moves on to the next one.
template <class R>
__device__ __forceinline__ void list_delivery(const R& r, const Span& span, Vertex v,
                                              typename R::Value value, unsigned long long& place) {
  const std::uint32_t count = span.last - span.first;
  if (count > kShortList) {
#pragma unroll 1
    for (std::uint32_t done = 0; done < count; done += kChunk, ++place)
      r.chunks[static_cast<std::uint32_t>(place)] = delivery_of<R>(
          span.first + done, count - done < kChunk ? count - done : kChunk, value, v);
  } else if (count != 0) {
    r.short_lists[place >> 32] = delivery_of<R>(span.first, count, value, v);
    place += 1ull << 32;
  }
}

/// A sweep over the vertices: lists what those ahead of the threshold are to deliver. All vertices
/// are looked at, few deliver: what those do stands here once and not once for each vertex of a
/// thread, which was a third of the kernel's code.
template <class R>
__device__ __forceinline__ void collect(const R& r, typename R::Value threshold,
                                        typename R::Value unreached,
                                        Round<typename R::Value>* round, Claims& shared) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr unsigned kPer = 16 / sizeof(Value);
  struct alignas(16) Values {
    Value of[kPer];
  };
  constexpr Value kWorst = Order::template worst<Value>();

  Tallied<Value> tallied{.ahead = kWorst, .behind = kWorst};
  const std::uint64_t per_tile = std::uint64_t{blockDim.x} * kPer;
  for (std::uint64_t tile = blockIdx.x; tile * per_tile < r.vertex_count; tile += gridDim.x) {
    const std::uint64_t v = tile * per_tile + threadIdx.x * kPer;
    Values values;
    if (v + kPer <= r.vertex_count) {
      values = load_once(reinterpret_cast<const Values*>(r.state + v));
    } else {
#pragma unroll
      for (unsigned i = 0; i < kPer; ++i)
        values.of[i] = v + i < r.vertex_count ? load_relaxed(r.state[v + i]) : kWorst;
    }
    Waiting waiting;
#pragma unroll
    for (unsigned i = 0; i < kPer; ++i)
      look_at(r, v + i, i, values.of[i], threshold, unreached, waiting, tallied);
    Span spans[kPer];
    unsigned long long deliveries = 0;
#pragma unroll 1
    for (unsigned left = waiting.sends; left != 0; left &= left - 1) {
      const unsigned number = __ffs(static_cast<int>(left)) - 1;
      const Span span = span_of(r, v + number, chosen(values.of, number),
                                (waiting.improved >> number & 1) != 0, false, threshold, tallied);
      deliveries += places_of(span);
#pragma unroll
      for (unsigned i = 0; i < kPer; ++i)
        if (i == number) spans[i] = span;
    }
    unsigned long long place = claim_in_block(&round->deliveries, deliveries, shared);
#pragma unroll 1
    for (unsigned left = waiting.sends; left != 0; left &= left - 1) {
      const unsigned number = __ffs(static_cast<int>(left)) - 1;
      list_delivery(r, chosen(spans, number), static_cast<Vertex>(v + number),
                    chosen(values.of, number), place);
    }
  }
  add_tallied<Order>(round, tallied);
}

/// The same for vertices that are listed: they improved in the round before.
template <class R>
__device__ __forceinline__ void collect_listed(const R& r, const Entry<typename R::Value>* list,
                                               std::uint32_t count, typename R::Value threshold,
                                               Round<typename R::Value>* round, Claims& shared) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  Tallied<Value> tallied{.ahead = kWorst, .behind = kWorst};
  for (std::uint64_t tile = std::uint64_t{blockIdx.x} * blockDim.x; tile < count;
       tile += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint64_t i = tile + threadIdx.x;
    Entry<Value> entry{0, kWorst};
    if (i < count) entry = load_once(list + i);
    // Where the vertex has improved since, another entry has its value.
    const bool sends =
        Order::better(entry.value, threshold) && load_relaxed(r.state[entry.vertex]) == entry.value;
    if (!Order::better(entry.value, threshold))
      tallied.ahead = Order::best(tallied.ahead, entry.value);
    Span span;
    if (sends) span = span_of(r, entry.vertex, entry.value, true, true, threshold, tallied);
    unsigned long long place = claim_in_block(&round->deliveries, places_of(span), shared);
    list_delivery(r, span, entry.vertex, entry.value, place);
  }
  add_tallied<Order>(round, tallied);
}

}  // namespace detail
}  // namespace vertigo::gpu::distances
