#pragma once
// Pushing along sorted lists: what a sweep over the vertices finds to deliver, and its delivery
// (sorted.cuh says how they follow each other).

#include "vertigo/engines/distances/edges.cuh"

namespace vertigo::gpu::distances {

/// What a vertex has delivered.
template <class Value>
struct alignas(2 * sizeof(Value)) Delivered {
  Value value;  ///< its value when it last sent
  Value next;   ///< the best message that was left; the worst value where none was
};

/// Edges first .. first + count, along which `value` is to be sent.
template <class Value>
struct alignas(16) Delivery {
  std::uint32_t first;
  std::uint32_t count;
  Value value;
};

/// Lists longer than this are cut into chunks that a warp takes alone; shorter ones are shared out
/// edge by edge, 32 lists to a warp.
inline constexpr std::uint32_t kShortList = 64;
inline constexpr std::uint32_t kChunk = 512;

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
};

/// Modes in the log.
enum SortedMode : std::uint32_t { kLookMode, kPushMode, kPullMode };

template <class P>
struct SortedRun : P {
  using Value = typename P::Value;

  Delivered<Value>* delivered = nullptr;
  /// Per vertex: the first edge that was not delivered; kNeverSent before it sends.
  std::uint32_t* next_edge = nullptr;
  Delivery<Value>* short_lists = nullptr;
  Delivery<Value>* chunks = nullptr;
  Round<Value>* rounds = nullptr;  ///< kRounds of them, used in turn
  std::uint32_t pull_share = 2;    ///< pull once less than 1/pull_share of the edges are unmet
};

template <class Value>
struct SortedShared {
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

/// The first edge in [low, end) whose message is not better than `bound`: in steps that double,
/// then between the last two.
template <class P>
__device__ __forceinline__ std::uint32_t first_not_better(const P& p, std::uint32_t low,
                                                          std::uint32_t end,
                                                          typename P::Value value,
                                                          typename P::Value bound) {
  if (bound == P::Order::template worst<typename P::Value>()) return end;
  const auto better = [&](std::uint32_t edge) {
    return P::Order::better(p.message(value, load_constant(p.out.edges + edge)), bound);
  };
  std::uint32_t high = end;
  for (std::uint32_t step = 1; low < end; step *= 2) {
    const std::uint32_t probe = step < end - low ? low + step - 1 : end - 1;
    if (!better(probe)) {
      high = probe;
      break;
    }
    low = probe + 1;
  }
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (better(middle))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Where the caller's deliveries go: one addition per block. All threads of the block call it.
template <class Value>
__device__ __forceinline__ unsigned long long claim_in_block(unsigned long long* counter,
                                                             unsigned long long mine,
                                                             SortedShared<Value>& shared) {
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

/// A thread's share of a round.
template <class Value>
struct Tallied {
  unsigned long long edges = 0;
  unsigned long long met_edges = 0;
  std::uint32_t active = 0;
  Value ahead;
  Value behind;
};

template <class Order, class Value>
__device__ __forceinline__ void add_tallied(Round<Value>* round, const Tallied<Value>& mine) {
  const auto edges = sum_of_warp(mine.edges);
  const auto met_edges = sum_of_warp(mine.met_edges);
  const auto active = sum_of_warp(mine.active);
  const Value ahead = best_of_warp<Order>(mine.ahead);
  const Value behind = best_of_warp<Order>(mine.behind);
  if (lane() != 0) return;
  if (edges != 0) atomicAdd(&round->edges, edges);
  if (met_edges != 0) atomicAdd(&round->met_edges, met_edges);
  if (active != 0) atomicAdd(&round->active, active);
  if (Order::better(ahead, load_relaxed(round->ahead))) Order::improve(&round->ahead, ahead);
  if (Order::better(behind, load_relaxed(round->behind))) Order::improve(&round->behind, behind);
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

/// Looks at vertex v, the i-th, of the given value.
template <class R>
__device__ __forceinline__ void look_at(const R& r, std::uint64_t v, unsigned i,
                                        typename R::Value value, typename R::Value threshold,
                                        Waiting& waiting, Tallied<typename R::Value>& tallied) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  if (value == kWorst) return;
  const Delivered<Value> before = load_once(r.delivered + v);
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

/// Decides how far vertex v sends in this round, and remembers it.
template <class R>
__device__ __forceinline__ Span span_of(const R& r, std::uint64_t v, typename R::Value value,
                                        bool improved, typename R::Value threshold,
                                        Tallied<typename R::Value>& tallied) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  const std::uint32_t begin = load_constant(r.out.offsets + v);
  const std::uint32_t end = load_constant(r.out.offsets + v + 1);
  const std::uint32_t next_edge = r.next_edge[v];
  if (next_edge == kNeverSent) tallied.met_edges += end - begin;
  const std::uint32_t first = improved ? begin : next_edge;
  const std::uint32_t last = first_not_better(r, first, end, value, threshold);
  Value next = kWorst;
  if (last != end) next = r.message(value, load_constant(r.out.edges + last));
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
__device__ __forceinline__ void list_delivery(const R& r, const Span& span, typename R::Value value,
                                              unsigned long long& place) {
  const std::uint32_t count = span.last - span.first;
  if (count > kShortList) {
#pragma unroll 1
    for (std::uint32_t done = 0; done < count; done += kChunk, ++place)
      r.chunks[static_cast<std::uint32_t>(place)] = {
          span.first + done, count - done < kChunk ? count - done : kChunk, value};
  } else if (count != 0) {
    r.short_lists[place >> 32] = {span.first, count, value};
    place += 1ull << 32;
  }
}

/// A sweep over the vertices: lists what those ahead of the threshold are to deliver. All vertices
/// are looked at, few deliver: what those do stands here once and not once for each vertex of a
/// thread, which was a third of the kernel's code.
template <class R>
__device__ __forceinline__ void collect(const R& r, typename R::Value threshold,
                                        Round<typename R::Value>* round,
                                        SortedShared<typename R::Value>& shared) {
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
      look_at(r, v + i, i, values.of[i], threshold, waiting, tallied);
    Span spans[kPer];
    unsigned long long deliveries = 0;
#pragma unroll 1
    for (unsigned left = waiting.sends; left != 0; left &= left - 1) {
      const unsigned number = __ffs(static_cast<int>(left)) - 1;
      const Span span = span_of(r, v + number, chosen(values.of, number),
                                (waiting.improved >> number & 1) != 0, threshold, tallied);
      deliveries += places_of(span);
#pragma unroll
      for (unsigned i = 0; i < kPer; ++i)
        if (i == number) spans[i] = span;
    }
    unsigned long long place = claim_in_block(&round->deliveries, deliveries, shared);
#pragma unroll 1
    for (unsigned left = waiting.sends; left != 0; left &= left - 1) {
      const unsigned number = __ffs(static_cast<int>(left)) - 1;
      list_delivery(r, chosen(spans, number), chosen(values.of, number), place);
    }
  }
  add_tallied<Order>(round, tallied);
}

/// One edge of a delivery.
template <class R>
__device__ __forceinline__ void send(const R& r, typename R::Value value, std::uint32_t at) {
  const auto edge = load_constant(r.out.edges + at);
  typename R::Value* const target = r.state + r.code.target(edge);
  const typename R::Value message = r.message(value, edge);
  if (R::Order::better(message, load_recent(target))) R::Order::improve(target, message);
}

/// A chunk: the warp's lanes take neighbouring edges, four each before they look at targets.
template <class R>
__device__ __forceinline__ void deliver_chunk(const R& r,
                                              const Delivery<typename R::Value>& chunk) {
  using Value = typename R::Value;
  constexpr unsigned kAhead = 4;
  const std::uint32_t end = chunk.first + chunk.count;
  std::uint32_t at = chunk.first + lane();
  for (; chunk.count >= kAhead * kWarp && at < end - (kAhead - 1) * kWarp; at += kAhead * kWarp) {
    Value* targets[kAhead];
    Value messages[kAhead];
    Value seen[kAhead];
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i) {
      const auto edge = load_constant(r.out.edges + at + i * kWarp);
      targets[i] = r.state + r.code.target(edge);
      messages[i] = r.message(chunk.value, edge);
    }
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i) seen[i] = load_recent(targets[i]);
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i)
      if (R::Order::better(messages[i], seen[i])) R::Order::improve(targets[i], messages[i]);
  }
  for (; at < end; at += kWarp) send(r, chunk.value, at);
}

/// 32 short lists, one of each lane: their edges are shared out among the lanes one by one.
template <class R>
__device__ __forceinline__ void deliver_short(const R& r, const Delivery<typename R::Value>& mine) {
  const std::uint32_t up_to_mine = sum_up_to_lane(mine.count);
  const std::uint32_t before_mine = up_to_mine - mine.count;
  const std::uint32_t total = shuffle(up_to_mine, kWarp - 1);
  for (std::uint32_t base = 0; base < total; base += kWarp) {
    const std::uint32_t wanted = base + lane();
    // The first lane whose lists, with those below it, hold more than `wanted` edges.
    unsigned owner = 0;
#pragma unroll
    for (unsigned half = kWarp / 2; half != 0; half /= 2)
      if (shuffle(up_to_mine, owner + half - 1) <= wanted) owner += half;
    owner = owner < kWarp ? owner : kWarp - 1;
    const std::uint32_t first = shuffle(mine.first, owner);
    const std::uint32_t before = shuffle(before_mine, owner);
    const auto value = shuffle(mine.value, owner);
    if (wanted < total) send(r, value, first + wanted - before);
  }
}

template <class R>
__device__ __forceinline__ void deliver(const R& r, unsigned long long deliveries) {
  using Value = typename R::Value;
  const auto chunks = static_cast<std::uint32_t>(deliveries);
  const auto short_lists = static_cast<std::uint32_t>(deliveries >> 32);
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  const unsigned warps = gridDim.x * blockDim.x / kWarp;
  for (std::uint32_t i = warp; i < chunks; i += warps) deliver_chunk(r, load_once(r.chunks + i));
  // From the other end, so that the warps that took one chunk less begin.
  for (std::uint64_t base = std::uint64_t{warps - 1 - warp} * kWarp; base < short_lists;
       base += std::uint64_t{warps} * kWarp) {
    Delivery<Value> mine{};
    if (base + lane() < short_lists) mine = load_once(r.short_lists + base + lane());
    deliver_short(r, mine);
  }
}

}  // namespace detail
}  // namespace vertigo::gpu::distances
