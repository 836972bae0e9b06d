#pragma once
// The engine `distances` on graphs whose vertices lie close together: every list of edges is sorted
// by weight once, so that a vertex sends along its best edges first and leaves the list at the
// first edge whose message is not better than a threshold.
//
// Delta-stepping (Meyer and Sanders, 2003) delivers light and heavy edges apart; with sorted lists
// the split lies at whatever edge the threshold asks for. A *window* is the time between two moves
// of the threshold. A round of a window first looks for what is to be delivered, then delivers it.
// It looks at the vertices that improved in the round before, where these are few enough to be
// listed, else at all. Once half of the edges are met, the vertices behind the threshold fetch
// their messages instead (`pull`), best edge first, each up to the first edge that cannot help even
// from the best vertex that still has something to say (Beamer et al., Direction-optimizing
// breadth-first search, 2012, with a bound in place of the frontier). When a pull has improved few,
// these send along all their edges, and so on until nobody improves: every message from anyone else
// has arrived.
//
// Where the lists are a *core* of the graph (core.cuh), the search comes to its end on the core
// first. Then every vertex asks whether the best edge that was left out of its list could help, had
// it the best sender of all but the starts, which have sent along all their edges. Those for which
// it could pull along what was left out, up to the first edge that cannot help. If somebody
// improves, the search goes on along the core, and asks again: now only those who improved since
// have anything to say. At the end no edge is left that could improve anything, whatever the core
// holds; how good the core is decides how many edges were read.
//
// The whole run is one cooperative launch; every block takes the same decisions from the same
// counters, which nobody changes while they are read.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/distances/pull.cuh"
#include "vertigo/engines/distances/push.cuh"

namespace vertigo::gpu::distances {

namespace detail {

/// Whom the next round looks at.
enum class Takes : std::uint8_t {
  All,     ///< a sweep: sends what is ahead of the threshold
  Listed,  ///< who improved in the round before: the same
  Behind,  ///< everybody who may improve: fetches
  Rest,    ///< the same, along the edges that are not in the core
};

/// What all blocks know, and decide alike.
template <class Value>
struct SortedControl {
  Value begin;      ///< of the window: better values are final
  Value threshold;  ///< its end: what is not better waits
  Value behind;     ///< nobody better has anything left to send, but who is listed
  Value ahead;      ///< nor anything better that waits for the next window
  Value bound;      ///< of a pull: nobody better has anything to say
  Value unsaid;     ///< nobody better has anything to say along edges that are not in the core
  Takes takes;
  bool starting;   ///< a few starts send along all their edges
  bool finishing;  ///< a pull improved few: those send
  bool done;
  std::uint32_t listed;
  unsigned long long met_edges;
  unsigned long long window_edges;
};

/// Half of the edges are met: to pull costs less from here on.
template <class R>
__device__ __forceinline__ bool turns_to_pull(const R& r,
                                              const SortedControl<typename R::Value>& control) {
  return r.in.edges != nullptr && control.met_edges > r.edge_count / 2;
}

/// All that may improve fetch from here on. `unsent`: nobody better has anything left to send.
template <class Value>
__device__ __forceinline__ void turn_to_pull(SortedControl<Value>& control, Value unsent) {
  control.takes = Takes::Behind;
  control.bound = unsent;
}

/// After a round has collected what there is to deliver: whether it is delivered. Else those who
/// may improve fetch it.
template <class R>
__device__ __forceinline__ bool delivers(const R& r, SortedControl<typename R::Value>& control,
                                         const Round<typename R::Value>& round) {
  using Order = typename R::Order;
  control.met_edges += round.met_edges;
  control.window_edges += round.edges;
  const bool swept = control.takes == Takes::All;
  const auto waited = control.behind;  // with something left to send before this round
  control.behind = swept ? round.behind : Order::best(control.behind, round.behind);
  const bool is_over = round.deliveries == 0;  // the window
  if (!swept || !turns_to_pull(r, control)) return !is_over;
  if (is_over) {
    control.begin = control.threshold;
    turn_to_pull(control, control.behind);
  } else {
    // What was to be delivered is not, and what is in the window may still improve.
    turn_to_pull(control, Order::best(waited, Order::best(control.behind, control.begin)));
  }
  return false;
}

/// A window from `begin` on.
template <class R>
__device__ __forceinline__ void open_window(const R& r, SortedControl<typename R::Value>& control,
                                            typename R::Value begin) {
  using Order = typename R::Order;
  // A window that hardly found work was too narrow.
  const bool narrow = r.adapts && control.window_edges < r.edge_count / 2048;
  const auto width = r.window_width();
  control.begin = begin;
  control.threshold = Order::behind(begin, width);
  if (narrow) control.threshold = Order::behind(control.threshold, width);
  control.window_edges = 0;
}

/// Nobody has anything to send along the lists: the end, or a look at what is not in the core.
template <class R>
__device__ __forceinline__ void finish(const R& r, SortedControl<typename R::Value>& control) {
  control.done = r.left_out.core == nullptr;
  control.takes = Takes::Rest;
  control.bound = control.unsaid;
  // No value is final: an edge that was left out may bring a better one.
  control.begin = R::Order::template unbeaten<typename R::Value>();
}

/// After a round that pulled, or that finishes what pulls have left.
template <class R>
__device__ __forceinline__ void decide_at_end(const R& r, SortedControl<typename R::Value>& control,
                                              const Round<typename R::Value>& round, Takes looked) {
  using Order = typename R::Order;
  if (looked == Takes::Rest) {
    control.unsaid = round.behind;
    control.done = round.listed == 0;
  } else if (round.listed == 0) {
    finish(r, control);
    return;
  }
  control.finishing = round.listed <= r.list_capacity / 4;
  control.takes = control.finishing ? Takes::Listed : Takes::Behind;
  control.threshold = Order::template worst<typename R::Value>();
  control.bound = looked == Takes::Listed ? round.best_listed : round.behind;
}

/// After a round that delivered messages and listed who improved by them, all or too many.
template <class R>
__device__ __forceinline__ void decide_in_window(const R& r,
                                                 SortedControl<typename R::Value>& control,
                                                 const Round<typename R::Value>& round,
                                                 bool has_list) {
  using Order = typename R::Order;
  if (control.starting) {
    control.starting = false;
    control.done = round.listed == 0;
    control.unsaid = round.best_listed;
    open_window(r, control, round.best_listed);
  }
  const bool is_over = has_list && round.listed == 0;
  if (turns_to_pull(r, control)) {
    turn_to_pull(control, Order::best(control.behind, control.begin));
  } else if (is_over) {
    control.takes = Takes::All;
    open_window(r, control, control.ahead);
  } else {
    control.takes = has_list ? Takes::Listed : Takes::All;
  }
}

/// What is next after a round that took `looked`, and delivered what it found or not.
template <class R>
__device__ __forceinline__ void decide(const R& r, SortedControl<typename R::Value>& control,
                                       const Round<typename R::Value>& round, Takes looked,
                                       bool delivered, bool listed) {
  using Order = typename R::Order;
  const bool has_list = listed && round.listed <= r.list_capacity;
  control.listed = round.listed;
  control.ahead = looked == Takes::All ? round.ahead : Order::best(control.ahead, round.ahead);
  if (looked == Takes::Behind || looked == Takes::Rest || control.finishing) {
    decide_at_end(r, control, round, looked);
  } else if (delivered) {
    decide_in_window(r, control, round, has_list);
  } else if (looked == Takes::All && control.takes == Takes::All &&
             control.ahead == Order::template worst<typename R::Value>()) {
    finish(r, control);
  } else if (control.takes != Takes::Behind) {
    control.starting = false;
    control.takes = Takes::All;
    open_window(r, control, control.ahead);
  }
}

/// Start values become states, and their vertices the first list; nothing was delivered yet.
template <class R>
__device__ __forceinline__ void begin_sorted(const R& r, Round<typename R::Value>* round,
                                             typename R::Value unreached) {
  using Order = typename R::Order;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < r.vertex_count;
       v += threads) {
    r.next_edge[v] = kNeverSent;
    const auto start = r.inbox[v];
    if (!Order::better(start, unreached) || !r.program.begins(start, static_cast<Vertex>(v)))
      continue;
    r.state[v] = start;
    const std::uint32_t place = atomicAdd(&round->listed, 1u);
    if (place < r.list_capacity) r.lists[1][place] = {static_cast<Vertex>(v), start};
  }
}

template <class R>
__device__ __forceinline__ void clear(Round<typename R::Value>* round) {
  constexpr auto kWorst = R::Order::template worst<typename R::Value>();
  if (blockIdx.x == 0 && threadIdx.x == 0) *round = {0, 0, 0, 0, kWorst, kWorst, 0, kWorst, 0};
}

template <class R>
__device__ __forceinline__ void clear_rounds(const R& r) {
  for (unsigned i = 0; i < kRounds; ++i) clear<R>(r.rounds + i);
}

template <class Value>
__device__ __forceinline__ Round<Value> load(const Round<Value>* round) {
  return {load_relaxed(round->deliveries),  load_relaxed(round->edges),
          load_relaxed(round->met_edges),   load_relaxed(round->active),
          load_relaxed(round->ahead),       load_relaxed(round->behind),
          load_relaxed(round->listed),      load_relaxed(round->best_listed),
          load_relaxed(round->listed_edges)};
}

inline constexpr std::uint32_t kFewStarts = 1024;

/// A few starts send along all their edges at once: what they leave behind would keep the bound of
/// a pull at their value.
template <class R>
__device__ __forceinline__ SortedControl<typename R::Value> begin_control(const R& r,
                                                                          std::uint32_t starts) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  const bool few = starts <= kFewStarts && starts <= r.list_capacity;
  return {.begin = Order::template unbeaten<Value>(),
          .threshold = few ? Order::template worst<Value>() : Order::template unbeaten<Value>(),
          .behind = Order::template worst<Value>(),
          .ahead = Order::template worst<Value>(),
          .bound = Order::template worst<Value>(),
          .unsaid = Order::template unbeaten<Value>(),
          .takes = few ? Takes::Listed : Takes::All,
          .starting = few,
          .finishing = false,
          .done = false,
          .listed = starts,
          .met_edges = 0,
          .window_edges = 0};
}

/// Of one block. What all threads decide alike, its first thread decides for it: thousands of warps
/// that read the same counters would wait for each other.
template <class Value>
struct SortedShared {
  Claims claims;
  SortedControl<Value> control;
  Round<Value> seen;
  LoopTotals totals;
  bool delivers;
  bool lists;
  Candidates<Value> candidates[kSortedThreads / kWarp];
};

/// The first thread does it, the block waits.
template <class Work>
__device__ __forceinline__ void once_per_block(const Work& work) {
  if (threadIdx.x == 0) work();
  __syncthreads();
}

__device__ __forceinline__ bool pulls(Takes takes) {
  return takes == Takes::Behind || takes == Takes::Rest;
}
template <class R>
__device__ __forceinline__ PulledLists<R> pulled_lists(const R& r, Takes takes) {
  if (takes == Takes::Rest) return {r.left_out.whole, r.left_out.core, r.left_out.best};
  return {r.in, nullptr, r.best_in};
}

/// Whether the round is that of the starts, which leave no edge to the rest.
template <class R>
__device__ __forceinline__ bool sends_everywhere(const R& r,
                                                 const SortedControl<typename R::Value>& control) {
  return control.starting && r.left_out.core != nullptr;
}

/// Collects or pulls.
template <class R>
__device__ __forceinline__ void look(const R& r, SortedShared<typename R::Value>& shared,
                                     typename R::Value unreached,
                                     const Listing<typename R::Value>& listing,
                                     const Entry<typename R::Value>* list) {
  const auto& control = shared.control;
  if (pulls(control.takes))
    pull(r, pulled_lists(r, control.takes), control.begin, control.bound,
         shared.candidates[threadIdx.x / kWarp], listing);
  else if (sends_everywhere(r, control))
    return;
  else if (control.takes == Takes::Listed)
    collect_listed(r, list, control.listed, control.threshold, listing.round, shared.claims);
  else
    collect(r, control.threshold, unreached, listing.round, shared.claims);
}

template <class R>
__device__ __forceinline__ void end_round(const R& r, SortedShared<typename R::Value>& shared,
                                          Takes looked, std::uint64_t begin_ns) {
  const auto& seen = shared.seen;
  const std::uint32_t mode = looked == Takes::Behind ? kPullMode
                             : looked == Takes::Rest ? kRestMode
                             : !shared.delivers      ? kLookMode
                             : looked == Takes::All  ? kPushMode
                                                     : kListMode;
  const std::uint64_t edges = mode == kLookMode ? 0 : seen.edges;
  log_round(r.log, shared.totals, {begin_ns, 0, seen.active, edges, 0, 0, mode, 0});
  decide(r, shared.control, seen, looked, shared.delivers, shared.lists);
}

}  // namespace detail

/// Brings the states to the fixed point of the program, from the start values in the inboxes.
template <class R>
__global__ void __launch_bounds__(kSortedThreads, 2) improve_along_sorted_lists(const R r) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  using detail::Takes;
  constexpr Value kWorst = Order::template worst<Value>();
  __shared__ detail::SortedShared<Value> shared;
  auto& control = shared.control;
  detail::clear_rounds<R>(r);
  const Value unreached = r.vertex_count != 0 ? r.state[0] : kWorst;
  grid_sync();
  detail::begin_sorted(r, r.rounds + kRounds - 1, unreached);
  grid_sync();
  detail::once_per_block([&] {
    control = detail::begin_control(r, load_relaxed(r.rounds[kRounds - 1].listed));
    shared.totals = {};
  });
  while (!control.done && shared.totals.steps < r.most_rounds) {
    const std::uint64_t begin_ns = r.log.records != nullptr ? global_nanoseconds() : 0;
    const std::uint64_t step = shared.totals.steps;
    const Takes looked = control.takes;
    Round<Value>* const round = r.rounds + step % kRounds;
    detail::clear<R>(r.rounds + (step + 2) % kRounds);
    detail::Listing<Value> listing{.entries = r.lists[step % 2],
                                   .capacity = r.list_capacity,
                                   .threshold = control.threshold,
                                   .unreached = unreached,
                                   .round = round,
                                   .best = kWorst,
                                   .waiting = kWorst};
    detail::look(r, shared, unreached, listing, r.lists[(step + 1) % 2]);
    grid_sync();
    const bool everywhere = detail::sends_everywhere(r, control);
    detail::once_per_block([&] {
      shared.seen = detail::load(round);
      shared.delivers =
          everywhere || (!detail::pulls(looked) && detail::delivers(r, control, shared.seen));
      // A round that delivers many messages improves too many vertices for a list.
      shared.lists = shared.delivers && (control.starting || control.finishing ||
                                         shared.seen.edges <= 4ull * r.list_capacity);
    });
    if (shared.delivers) {
      if (!shared.lists) listing.entries = nullptr;
      if (everywhere)
        detail::send_everywhere(r, r.lists[(step + 1) % 2], control.listed, listing);
      else
        detail::deliver(r, shared.seen.deliveries, listing);
      grid_sync();
      detail::once_per_block([&] {
        shared.seen = detail::load(round);
        control.met_edges += shared.seen.listed_edges;
      });
    }
    detail::once_per_block([&] { detail::end_round(r, shared, looked, begin_ns); });
  }
  detail::end_log(r.log, shared.totals, control.done, r.limited);
}

}  // namespace vertigo::gpu::distances
