#pragma once
// Pulling along sorted lists: a vertex fetches its messages itself, best edge first, up to the
// first edge that cannot help (sorted.cuh says when).

#include "vertigo/engines/distances/push.cuh"

namespace vertigo::gpu::distances::detail {

/// Whether the best message along this edge, from a vertex of value `bound`, can improve `value`.
template <class R>
__device__ __forceinline__ bool can_help(const R& r, typename R::Value bound,
                                         const typename R::Edge& edge, typename R::Value value) {
  return R::Order::better(r.message(bound, edge), value);
}

/// A list that one lane pulls through alone, four edges at a time.
template <class R>
__device__ __forceinline__ typename R::Value pull_alone(const R& r, std::uint32_t at,
                                                        std::uint32_t end, typename R::Value value,
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
                                     typename R::Value bound, Round<typename R::Value>* round) {
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
    // Whether the best edge can help is asked before anything of the list is read: late rounds find
    // little to do, and would still look at every list.
    const Value value = there ? load_once(r.state + v) : Order::template unbeaten<Value>();
    const bool pulls = there && !Order::better(value, threshold) &&
                       Order::better(r.program.sent(bound, load_once(r.best_in + v)), value);
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
      const Value together = pull_together(r, shuffle(begin, owner), shuffle(end, owner),
                                           shuffle(found, owner), bound, tallied.edges);
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

}  // namespace vertigo::gpu::distances::detail
