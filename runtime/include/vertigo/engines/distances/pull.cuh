#pragma once
// Pulling along sorted lists: a vertex fetches its messages itself, best edge first, up to the
// first edge that cannot help (sorted.cuh says when). Of a graph with a core, what was left out of
// the lists is pulled in the same way.

#include "vertigo/engines/distances/deliver.cuh"

namespace vertigo::gpu::distances::detail {

/// Whether the best message along this edge, from a vertex of value `bound`, can improve `value`.
template <class R>
__device__ __forceinline__ bool can_help(const R& r, typename R::Value bound,
                                         const typename R::Edge& edge, typename R::Value value) {
  return R::Order::better(r.bound_of(bound, edge), value);
}

/// Where a pull finds the in-edges of a vertex, and what it asks before it reads them.
template <class R>
struct PulledLists {
  EdgeLists<typename R::Edge> lists;
  const std::uint32_t* core;  ///< null: pulled from their beginning on, else behind these lists
  const typename R::Weight* best;

  __device__ __forceinline__ std::uint32_t begin(Vertex v) const {
    const std::uint32_t begin = load_constant(lists.offsets + v);
    if (core == nullptr) return begin;
    return begin + (load_constant(core + v + 1) - load_constant(core + v));
  }
  __device__ __forceinline__ std::uint32_t end(Vertex v) const {
    return load_constant(lists.offsets + v + 1);
  }
};

/// A list that one lane pulls through alone for v, four edges at a time.
template <class R>
__device__ __forceinline__ typename R::Value pull_alone(const R& r, const typename R::Edge* in,
                                                        Vertex v, std::uint32_t at,
                                                        std::uint32_t end, typename R::Value value,
                                                        typename R::Value bound,
                                                        std::uint32_t& edges) {
  using Value = typename R::Value;
  constexpr unsigned kAhead = 4;
  for (; at < end; at += kAhead) {
    typename R::Edge list[kAhead];
    Value messages[kAhead];
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i)
      list[i] = load_constant(in + (at + i < end ? at + i : at));
    if (!can_help(r, bound, list[0], value)) break;
    edges += kAhead;
    // The weights say which senders are worth a look; those of the first edges all are.
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i) {
      messages[i] = R::Order::template worst<Value>();
      if (can_help(r, bound, list[i], value)) messages[i] = r.fetched(list[i], v);
    }
#pragma unroll
    for (unsigned i = 0; i < kAhead; ++i) value = R::Order::best(value, messages[i]);
  }
  return value;
}

/// A list that the warp pulls through together for v.
template <class R>
__device__ __forceinline__ typename R::Value pull_together(
    const R& r, const typename R::Edge* in, Vertex v, std::uint32_t begin, std::uint32_t end,
    typename R::Value value, typename R::Value bound, std::uint32_t& edges) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  for (std::uint32_t base = begin; base < end; base += kWarp) {
    const std::uint32_t at = base + lane();
    Value message = Order::template worst<Value>();
    bool more = false;
    if (at < end) {
      const auto edge = load_constant(in + at);
      more = can_help(r, bound, edge, value);
      if (more) message = r.fetched(edge, v);
      edges += more;
    }
    value = Order::best(value, best_of_warp<Order>(message));
    if (!__shfl_sync(kAllLanes, more, kWarp - 1)) break;
  }
  return value;
}

/// What one warp has still to pull for: vertices, and the values that they had.
template <class Value>
struct Candidates {
  static constexpr unsigned kPer = 2;  // vertices of a lane in one look
  Vertex vertices[(1 + kPer) * kWarp];
  Value values[(1 + kPer) * kWarp];
};

/// Looks at `kPer` vertices of each lane, from `base` on, and keeps those that a pull may improve.
/// Whether their best edge can help is asked before anything of the list is read: late rounds find
/// little to do, and would still look at every list.
template <class R>
__device__ __forceinline__ void find_candidates(const R& r, const typename R::Weight* best,
                                                std::uint64_t base, typename R::Value threshold,
                                                typename R::Value bound,
                                                Candidates<typename R::Value>& candidates,
                                                unsigned& count) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr unsigned kPer = Candidates<Value>::kPer;
  Value values[kPer];
  typename R::Weight weights[kPer];
#pragma unroll
  for (unsigned i = 0; i < kPer; ++i) {
    const std::uint64_t v = base + i * kWarp + lane();
    const bool there = v < r.vertex_count;
    values[i] = there ? load_once(r.state + v) : Order::template unbeaten<Value>();
    weights[i] = load_once(best + (there ? v : 0));
  }
#pragma unroll
  for (unsigned i = 0; i < kPer; ++i) {
    bool pulls = !Order::better(values[i], threshold) &&
                 Order::better(r.program.sent(bound, weights[i]), values[i]);
    if constexpr (R::Program::kAsks)
      pulls = pulls && r.program.receives(r.program.sent(bound, weights[i]),
                                          static_cast<Vertex>(base + i * kWarp + lane()));
    const unsigned pulling = __ballot_sync(kAllLanes, pulls);
    const unsigned place = count + __popc(pulling & lanes_below());
    if (pulls) {
      candidates.vertices[place] = static_cast<Vertex>(base + i * kWarp + lane());
      candidates.values[place] = values[i];
    }
    count += __popc(pulling);
  }
  __syncwarp();
}

/// One vertex of each lane that `is` one fetches its messages; what it then has.
template <class R>
__device__ __forceinline__ typename R::Value pull_for(const R& r, const PulledLists<R>& from,
                                                      Vertex v, bool is, typename R::Value value,
                                                      typename R::Value bound,
                                                      std::uint32_t& edges) {
  constexpr std::uint32_t kAlone = 32;  // edges; longer lists are pulled by the warp
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  if (is) {
    begin = from.begin(v);
    end = from.end(v);
  }
  const bool is_long = end - begin > kAlone;
  auto found = value;
  if (!is_long) found = pull_alone(r, from.lists.edges, v, begin, end, value, bound, edges);
  for (unsigned left = __ballot_sync(kAllLanes, is_long); left != 0; left &= left - 1) {
    const unsigned owner = __ffs(static_cast<int>(left)) - 1;
    Vertex receiver = 0;
    if constexpr (R::Program::kAsks) receiver = shuffle(v, owner);
    const auto together = pull_together(r, from.lists.edges, receiver, shuffle(begin, owner),
                                        shuffle(end, owner), shuffle(found, owner), bound, edges);
    if (lane() == owner) found = together;
  }
  return found;
}

/// Every vertex behind the threshold fetches its messages. One lane owns a vertex, so its value is
/// stored without an atomic. Neighbours may improve meanwhile: they count as improved, and another
/// round follows. Who improved is listed, as far as there is room.
template <class R>
__device__ __forceinline__ void pull(const R& r, const PulledLists<R>& from,
                                     typename R::Value threshold, typename R::Value bound,
                                     Candidates<typename R::Value>& candidates,
                                     Listing<typename R::Value> listing) {
  using Value = typename R::Value;
  using Order = typename R::Order;
  constexpr Value kWorst = Order::template worst<Value>();
  constexpr unsigned kLook = Candidates<Value>::kPer * kWarp;
  Tallied<Value> tallied{.ahead = kWorst, .behind = kWorst};
  bool lists = true;
  unsigned count = 0;
  const unsigned warps = gridDim.x * blockDim.x / kWarp;
  std::uint64_t base = std::uint64_t{(blockIdx.x * blockDim.x + threadIdx.x) / kWarp} * kLook;
  for (;;) {
    if (count < kWarp && base < r.vertex_count) {
      find_candidates(r, from.best, base, threshold, bound, candidates, count);
      base += std::uint64_t{warps} * kLook;
      continue;
    }
    if (count == 0) break;
    const unsigned taken = count < kWarp ? count : kWarp;
    count -= taken;
    const bool is = lane() < taken;
    const Vertex v = is ? candidates.vertices[count + lane()] : 0;
    const Value value = is ? candidates.values[count + lane()] : kWorst;
    __syncwarp();  // the next look writes there
    const Value found = pull_for(r, from, v, is, value, bound, tallied.edges);
    const bool improved = is && Order::better(found, value);
    if (improved) {
      store_relaxed(r.state[v], found);
      ++tallied.active;
      tallied.behind = Order::best(tallied.behind, found);
    }
    if (lists) {
      const bool has[] = {improved};
      const Entry<Value> entries[] = {{v, found}};
      lists = list_vertices<Order>(listing, has, entries);
    }
  }
  add_tallied<Order>(listing.round, tallied);
}

}  // namespace vertigo::gpu::distances::detail
