#pragma once
// The engine `distances` on graphs whose vertices lie close together: every list of edges is sorted
// by weight once, so that a vertex sends along its best edges first and leaves the list at the first
// edge whose message is not better than a threshold.
//
// Delta-stepping (Meyer and Sanders, 2003) delivers light and heavy edges apart; with sorted lists
// the split lies at whatever edge the threshold asks for. A *window* is the time between two moves
// of the threshold. In each round of a window, a sweep over the vertices lists what is to be
// delivered (`collect`), a second step delivers it (`deliver`), and a window ends with a sweep that
// finds nothing. Once few edges are left that nobody looked at, the vertices behind the threshold
// fetch their messages instead (`pull`), best edge first, each up to the first edge that cannot
// help even from the best vertex that still has something to say (Beamer et al., Direction-
// optimizing breadth-first search, 2012, with a bound in place of the frontier).
//
// The whole run is one cooperative launch; every thread takes the same decisions from the same
// counters.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/engines/distances_edges.cuh"

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
  Value ahead;   ///< the best message or value that the threshold holds back
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
  std::uint32_t pull_share = 2;  ///< pull once less than 1/pull_share of the edges are unmet
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

/// The first edge in [low, end) whose message is not better than `bound`: in steps that double, then
/// between the last two.
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
    const unsigned long long of_warp =
        lane() < blockDim.x / kWarp ? shared.before_warp[lane()] : 0;
    const unsigned long long up_to_warp = sum_up_to_lane(of_warp);
    shared.before_warp[lane()] = up_to_warp - of_warp;
    if (lane() == kWarp - 1)
      shared.base = up_to_warp != 0 ? atomicAdd(counter, up_to_warp) : 0;
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

/// Decides what vertex v, of the given value, delivers in this round, and remembers it.
template <class R>
__device__ __forceinline__ Span span_of(const R& r, Vertex v, typename R::Value value,
                                        typename R::Value threshold,
                                        Tallied<typename R::Value>& tallied) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  Span span;
  if (value == kWorst) return span;
  const Delivered<Value> before = load_once(r.delivered + v);
  const bool improved = Order::better(value, before.value);
  if (!improved && before.next == kWorst) return span;
  const Value waiting = improved ? value : before.next;
  if (!Order::better(waiting, threshold)) {
    tallied.ahead = Order::best(tallied.ahead, waiting);
    tallied.behind = Order::best(tallied.behind, value);
    return span;
  }
  const std::uint32_t begin = load_constant(r.out.offsets + v);
  const std::uint32_t end = load_constant(r.out.offsets + v + 1);
  const std::uint32_t next_edge = r.next_edge[v];
  if (next_edge == kNeverSent) tallied.met_edges += end - begin;
  span.first = improved ? begin : next_edge;
  span.last = first_not_better(r, span.first, end, value, threshold);
  Value next = kWorst;
  if (span.last != end) next = r.message(value, load_constant(r.out.edges + span.last));
  if (next != kWorst) {
    tallied.ahead = Order::best(tallied.ahead, next);
    tallied.behind = Order::best(tallied.behind, value);
  }
  r.delivered[v] = {value, next};
  r.next_edge[v] = span.last;
  return span;
}

/// A sweep over the vertices: lists what those ahead of the threshold are to deliver.
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
    Span spans[kPer];
    unsigned long long deliveries = 0;
#pragma unroll
    for (unsigned i = 0; i < kPer; ++i) {
      spans[i] = span_of(r, static_cast<Vertex>(v + i), values.of[i], threshold, tallied);
      const std::uint32_t count = spans[i].last - spans[i].first;
      tallied.edges += count;
      tallied.active += count != 0;
      if (count > kShortList)
        deliveries += (count + kChunk - 1) / kChunk;
      else if (count != 0)
        deliveries += 1ull << 32;
    }
    unsigned long long place = claim_in_block(&round->deliveries, deliveries, shared);
    if (deliveries == 0) continue;
#pragma unroll
    for (unsigned i = 0; i < kPer; ++i) {
      const std::uint32_t count = spans[i].last - spans[i].first;
      if (count > kShortList) {
        for (std::uint32_t done = 0; done < count; done += kChunk, ++place)
          r.chunks[static_cast<std::uint32_t>(place)] = {
              spans[i].first + done, count - done < kChunk ? count - done : kChunk, values.of[i]};
      } else if (count != 0) {
        r.short_lists[place >> 32] = {spans[i].first, count, values.of[i]};
        place += 1ull << 32;
      }
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
__device__ __forceinline__ void deliver_short(const R& r,
                                              const Delivery<typename R::Value>& mine) {
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

/// Whether the best message along this edge, from a vertex of value `bound`, can improve `value`.
template <class R>
__device__ __forceinline__ bool can_help(const R& r, typename R::Value bound,
                                         const typename R::Edge& edge, typename R::Value value) {
  return R::Order::better(r.message(bound, edge), value);
}

/// A list that one lane pulls through alone, four edges at a time.
template <class R>
__device__ __forceinline__ typename R::Value pull_alone(const R& r, std::uint32_t at,
                                                        std::uint32_t end,
                                                        typename R::Value value,
                                                        typename R::Value bound,
                                                        unsigned long long& edges) {
  using Value = typename R::Value;
  constexpr unsigned kAhead = 4;
  for (; at < end; at += kAhead) {
    typename R::Edge list[kAhead];
    Value messages[kAhead];
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i)
      list[i] = load_constant(r.in.edges + (at + i < end ? at + i : at));
    if (!can_help(r, bound, list[0], value)) break;
    edges += kAhead;
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i)
      messages[i] = r.message(load_recent(r.state + r.code.target(list[i])), list[i]);
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i) value = R::Order::best(value, messages[i]);
  }
  return value;
}

/// A list that the warp pulls through together.
template <class R>
__device__ __forceinline__ typename R::Value pull_together(const R& r, std::uint32_t begin,
                                                           std::uint32_t end,
                                                           typename R::Value value,
                                                           typename R::Value bound,
                                                           unsigned long long& edges) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  for (std::uint32_t base = begin; base < end; base += kWarp) {
    const std::uint32_t at = base + lane();
    Value message = Order::template worst<Value>();
    bool more = false;
    if (at < end) {
      const auto edge = load_constant(r.in.edges + at);
      more = can_help(r, bound, edge, value);
      if (more) message = r.message(load_recent(r.state + r.code.target(edge)), edge);
      edges += more;
    }
    value = Order::best(value, best_of_warp<Order>(message));
    if (!__shfl_sync(kAllLanes, more, kWarp - 1)) break;
  }
  return value;
}

/// Every vertex behind the threshold fetches its messages. One lane owns a vertex, so its value is
/// stored without an atomic. Neighbours may improve meanwhile: they count as improved, and another
/// round follows.
template <class R>
__device__ __forceinline__ void pull(const R& r, typename R::Value threshold,
                                     typename R::Value bound,
                                     Round<typename R::Value>* round) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr std::uint32_t kAlone = 32;  // edges; longer lists are pulled by the warp
  constexpr Value kWorst = Order::template worst<Value>();
  Tallied<Value> tallied{.ahead = kWorst, .behind = kWorst};
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x - lane();
       base < r.vertex_count; base += threads) {
    const std::uint64_t v = base + lane();
    const bool there = v < r.vertex_count;
    const Value value = there ? load_once(r.state + v) : Order::template unbeaten<Value>();
    const bool pulls = there && !Order::better(value, threshold);
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    if (pulls) {
      begin = load_constant(r.in.offsets + v);
      end = load_constant(r.in.offsets + v + 1);
    }
    Value found = value;
    const bool is_long = end - begin > kAlone;
    if (pulls && !is_long) found = pull_alone(r, begin, end, value, bound, tallied.edges);
    for (unsigned left = __ballot_sync(kAllLanes, is_long); left != 0; left &= left - 1) {
      const unsigned owner = __ffs(static_cast<int>(left)) - 1;
      const Value together =
          pull_together(r, shuffle(begin, owner), shuffle(end, owner), shuffle(found, owner),
                        bound, tallied.edges);
      if (lane() == owner) found = together;
    }
    if (pulls && Order::better(found, value)) {
      store_relaxed(r.state[v], found);
      ++tallied.active;
      tallied.behind = Order::best(tallied.behind, found);
    }
  }
  add_tallied<Order>(round, tallied);
}

/// What all threads know, and decide alike.
template <class Value>
struct SortedControl {
  Value threshold;
  Value bound;  ///< pull: nobody better has anything to say
  bool whole_lists = false;
  bool pulling = false;
  bool done = false;
  unsigned long long met_edges = 0;
  unsigned long long window_edges = 0;
};

template <class R>
__device__ __forceinline__ void decide(const R& r, SortedControl<typename R::Value>& control,
                                       const Round<typename R::Value>& round) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  if (control.pulling) {
    control.bound = round.behind;
    control.done = round.active == 0;
    return;
  }
  control.met_edges += round.met_edges;
  control.window_edges += round.edges;
  if (control.whole_lists) {  // now a look at where they lead
    control.whole_lists = false;
    control.threshold = Order::template unbeaten<Value>();
    return;
  }
  if (round.deliveries != 0) return;  // the window goes on
  if (round.ahead == kWorst) {
    control.done = true;
    return;
  }
  const unsigned long long unmet =
      r.edge_count > control.met_edges ? r.edge_count - control.met_edges : 0;
  if (r.in.edges != nullptr && unmet < r.edge_count / r.pull_share) {
    control.pulling = true;
    control.bound = round.behind;
    return;
  }
  // A window that hardly found work was too narrow.
  const bool narrow = control.window_edges < r.edge_count / 2048;
  Value threshold = Order::behind(round.ahead, r.width);
  for (unsigned i = 1; narrow && i < 4; ++i) threshold = Order::behind(threshold, r.width);
  control.threshold = threshold;
  control.window_edges = 0;
}

/// Start values become states; nothing was delivered yet.
template <class R>
__device__ __forceinline__ void begin_sorted(const R& r, Round<typename R::Value>* round) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < r.vertex_count;
       v += threads) {
    const Value state = r.state[v];
    r.delivered[v] = {state, Order::template worst<Value>()};
    r.next_edge[v] = kNeverSent;
    const Value start = r.inbox[v];
    if (!Order::better(start, state)) continue;
    r.state[v] = start;
    atomicAdd(&round->active, 1u);
  }
}

template <class R>
__device__ __forceinline__ void clear(Round<typename R::Value>* round) {
  constexpr auto kWorst = R::Order::template worst<typename R::Value>();
  if (blockIdx.x == 0 && threadIdx.x == 0) *round = {0, 0, 0, 0, kWorst, kWorst};
}

template <class R>
__device__ __forceinline__ void clear_rounds(const R& r) {
  for (unsigned i = 0; i < kRounds; ++i) clear<R>(r.rounds + i);
}

template <class Value>
__device__ __forceinline__ Round<Value> load(const Round<Value>* round) {
  return {load_relaxed(round->deliveries), load_relaxed(round->edges),
          load_relaxed(round->met_edges),  load_relaxed(round->active),
          load_relaxed(round->ahead),      load_relaxed(round->behind)};
}

}  // namespace detail

/// Brings the states to the fixed point of the program, from the start values in the inboxes.
template <class R>
__global__ void __launch_bounds__(kSortedThreads, 2) improve_along_sorted_lists(const R r) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr std::uint32_t kFewStarts = 1024;
  __shared__ SortedShared<Value> shared;
  detail::clear_rounds<R>(r);
  grid_sync();
  detail::begin_sorted(r, r.rounds + kRounds - 1);
  grid_sync();
  // A few starts send along all their edges at once: what they leave behind would keep the bound of
  // a pull at their value.
  const bool few = load_relaxed(r.rounds[kRounds - 1].active) <= kFewStarts;
  detail::SortedControl<Value> control{
      .threshold = few ? Order::template worst<Value>() : Order::template unbeaten<Value>(),
      .bound = Order::template worst<Value>(),
      .whole_lists = few};
  LoopTotals totals{};
  while (!control.done && totals.steps < r.most_rounds) {
    const std::uint64_t begin_ns = r.log.records != nullptr ? global_nanoseconds() : 0;
    Round<Value>* const round = r.rounds + totals.steps % kRounds;
    detail::clear<R>(r.rounds + (totals.steps + 2) % kRounds);
    if (control.pulling)
      detail::pull(r, control.threshold, control.bound, round);
    else
      detail::collect(r, control.threshold, round, shared);
    grid_sync();
    const Round<Value> seen = detail::load(round);
    if (seen.deliveries != 0) {
      detail::deliver(r, seen.deliveries);
      grid_sync();
    }
    const std::uint32_t mode =
        control.pulling ? kPullMode : seen.deliveries != 0 ? kPushMode : kLookMode;
    detail::log_round(r.log, totals, {begin_ns, 0, seen.active, seen.edges, 0, 0, mode, 0});
    detail::decide(r, control, seen);
  }
  detail::end_log(r.log, totals, control.done, r.limited);
}

}  // namespace vertigo::gpu::distances
