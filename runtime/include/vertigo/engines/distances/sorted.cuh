#pragma once
// The engine `distances` on graphs whose vertices lie close together: every list of edges is sorted
// by weight once, so that a vertex sends along its best edges first and leaves the list at the
// first edge whose message is not better than a threshold.
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
#include "vertigo/engines/distances/pull.cuh"
#include "vertigo/engines/distances/push.cuh"

namespace vertigo::gpu::distances {

namespace detail {

/// What all threads know, and decide alike.
template <class Value>
struct SortedControl {
  Value begin;      ///< of the window: better values are final
  Value threshold;  ///< its end; of a pull: who is not better fetches
  Value bound;      ///< pull: nobody better has anything to say
  bool whole_lists = false;
  bool pulling = false;
  bool done = false;
  unsigned long long met_edges = 0;
  unsigned long long window_edges = 0;
};

/// Half of the edges are met: to pull costs less from here on. In the middle of a window, whose
/// vertices may still improve, too: the window pulls with the rest, and what it has just improved
/// may have something to say.
template <class R>
__device__ __forceinline__ bool turns_to_pull(const R& r,
                                              const SortedControl<typename R::Value>& control) {
  const unsigned long long unmet =
      r.edge_count > control.met_edges ? r.edge_count - control.met_edges : 0;
  return r.in.edges != nullptr && unmet < r.edge_count / r.pull_share;
}

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
  if (round.deliveries == 0 && round.ahead == kWorst) {
    control.done = true;
    return;
  }
  if (turns_to_pull(r, control)) {
    control.pulling = true;
    control.threshold = round.deliveries == 0 ? control.threshold : control.begin;
    control.bound = round.deliveries == 0 ? round.behind : Order::best(round.behind, control.begin);
    return;
  }
  if (round.deliveries != 0) return;  // the window goes on
  // A window that hardly found work was too narrow.
  const bool narrow = r.adapts && control.window_edges < r.edge_count / 2048;
  const Value width = r.window_width();
  Value threshold = Order::behind(round.ahead, width);
  for (unsigned i = 1; narrow && i < 4; ++i) threshold = Order::behind(threshold, width);
  control.begin = round.ahead;
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
      .begin = Order::template unbeaten<Value>(),
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
    const std::uint32_t mode = control.pulling        ? kPullMode
                               : seen.deliveries != 0 ? kPushMode
                                                      : kLookMode;
    detail::log_round(r.log, totals, {begin_ns, 0, seen.active, seen.edges, 0, 0, mode, 0});
    detail::decide(r, control, seen);
  }
  detail::end_log(r.log, totals, control.done, r.limited);
}

}  // namespace vertigo::gpu::distances
