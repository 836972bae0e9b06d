#pragma once
// `common_neighbours(u, v)` of the language: how many vertices are out-neighbours of both. Lists
// ascend; a vertex that stands in one several times, by parallel edges, counts once.
//
// It stands anywhere in a kernel, under whatever branches: a thread goes through short lists alone.
// Where the shorter list is long, the lanes of the warp that are there at the same time share it,
// each pair of lists in turn.

#include "vertigo/device/graph.cuh"
#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

namespace detail {

/// From this length of the shorter list on, lanes help each other.
inline constexpr unsigned kIntersectTogether = 64;
/// A list so many times as long as the other is searched, not gone through: a step of a search is
/// a load that waits for the one before.
inline constexpr unsigned kSearchRatio = 16;

struct SortedList {
  const Vertex* first;
  EdgeIndex length;
};

/// Of the list's vertices below `wanted`, from `from` on: the place behind them.
__device__ __forceinline__ EdgeIndex place_of(const SortedList& list, EdgeIndex from,
                                              Vertex wanted) {
  EdgeIndex end = list.length;
  while (from < end) {
    const EdgeIndex middle = from + (end - from) / 2;
    if (__ldg(list.first + middle) < wanted)
      from = middle + 1;
    else
      end = middle;
  }
  return from;
}

__device__ __forceinline__ std::int64_t common_alone(const SortedList& shorter,
                                                     const SortedList& longer) {
  const bool search = longer.length / kSearchRatio > shorter.length;
  std::int64_t count = 0;
  Vertex last = kNoVertex;
  EdgeIndex j = 0;
  for (EdgeIndex i = 0; i < shorter.length && j < longer.length; ++i) {
    const Vertex x = __ldg(shorter.first + i);
    if (x == last) continue;
    last = x;
    if (search)
      j = place_of(longer, j, x);
    else
      while (j < longer.length && __ldg(longer.first + j) < x) ++j;
    if (j < longer.length && __ldg(longer.first + j) == x) ++count;
  }
  return count;
}

/// What one of `helpers` lanes finds, who is number `rank` of them.
__device__ __forceinline__ unsigned common_part(const SortedList& shorter, const SortedList& longer,
                                                unsigned rank, unsigned helpers) {
  unsigned count = 0;
  EdgeIndex j = 0;
#pragma unroll 1
  for (EdgeIndex i = rank; i < shorter.length; i += helpers) {
    const Vertex x = __ldg(shorter.first + i);
    if (i > 0 && __ldg(shorter.first + i - 1) == x) continue;
    j = place_of(longer, j, x);
    if (j >= longer.length) break;
    if (__ldg(longer.first + j) == x) ++count;
  }
  return count;
}

/// Not inlined: all callers meet here, and the code is long. A template, so that programs that do
/// not call it do not hold it.
template <class Vertices = SortedList>
__device__ __noinline__ std::int64_t common_of(Vertices shorter, Vertices longer) {
  const bool is_long = shorter.length >= kIntersectTogether;
  std::int64_t count = 0;
  const unsigned helpers = __activemask();
  const unsigned rank = __popc(helpers & lanes_below());
  for (unsigned left = __ballot_sync(helpers, is_long); left != 0; left &= left - 1) {
    const unsigned owner = __ffs(left) - 1;
    const unsigned found = __reduce_add_sync(
        helpers, common_part(shuffle(shorter, owner, helpers), shuffle(longer, owner, helpers),
                             rank, __popc(helpers)));
    if (lane() == owner) count = found;
  }
  return is_long ? count : common_alone(shorter, longer);
}

/// As common_alone, of the edges that count; lists have no duplicates then. `targets`: what places
/// are counted from.
template <class Counts>
__device__ __forceinline__ std::int64_t chosen_alone(const SortedList& shorter,
                                                     const SortedList& longer,
                                                     const Vertex* targets, const Counts& counts) {
  const bool search = longer.length / kSearchRatio > shorter.length;
  std::int64_t count = 0;
  EdgeIndex j = 0;
  for (EdgeIndex i = 0; i < shorter.length && j < longer.length; ++i) {
    if (!counts(static_cast<EdgeIndex>(shorter.first - targets) + i)) continue;
    const Vertex x = __ldg(shorter.first + i);
    if (search)
      j = place_of(longer, j, x);
    else
      while (j < longer.length && __ldg(longer.first + j) < x) ++j;
    if (j < longer.length && __ldg(longer.first + j) == x &&
        counts(static_cast<EdgeIndex>(longer.first - targets) + j))
      ++count;
  }
  return count;
}

template <class Counts>
__device__ __forceinline__ unsigned chosen_part(const SortedList& shorter, const SortedList& longer,
                                                unsigned rank, unsigned helpers,
                                                const Vertex* targets, const Counts& counts) {
  unsigned count = 0;
  EdgeIndex j = 0;
#pragma unroll 1
  for (EdgeIndex i = rank; i < shorter.length; i += helpers) {
    if (!counts(static_cast<EdgeIndex>(shorter.first - targets) + i)) continue;
    const Vertex x = __ldg(shorter.first + i);
    j = place_of(longer, j, x);
    if (j >= longer.length) break;
    if (__ldg(longer.first + j) == x && counts(static_cast<EdgeIndex>(longer.first - targets) + j))
      ++count;
  }
  return count;
}

/// As common_of. What `counts` knows besides the place is the same in all threads.
template <class Counts>
__device__ __noinline__ std::int64_t chosen_of(SortedList shorter, SortedList longer,
                                               const Vertex* targets, Counts counts) {
  const bool is_long = shorter.length >= kIntersectTogether;
  std::int64_t count = 0;
  const unsigned helpers = __activemask();
  const unsigned rank = __popc(helpers & lanes_below());
  for (unsigned left = __ballot_sync(helpers, is_long); left != 0; left &= left - 1) {
    const unsigned owner = __ffs(left) - 1;
    const unsigned found = __reduce_add_sync(
        helpers, chosen_part(shuffle(shorter, owner, helpers), shuffle(longer, owner, helpers),
                             rank, __popc(helpers), targets, counts));
    if (lane() == owner) count = found;
  }
  return is_long ? count : chosen_alone(shorter, longer, targets, counts);
}

template <class Attribute>
__device__ __forceinline__ SortedList out_list(const Graph<Attribute>& graph, Vertex v) {
  return {graph.out.targets + graph.out.offsets[v], degree(graph.out, v)};
}

}  // namespace detail

/// Of the vertices that both have, those to which `counts(place)` holds of both edges. Where edges
/// are chosen, lists have no duplicates.
template <class Attribute, class Counts>
__device__ __forceinline__ std::int64_t common_neighbours(const Graph<Attribute>& graph, Vertex u,
                                                          Vertex v, const Counts& counts) {
  if (u == kNoVertex || v == kNoVertex) return 0;
  const detail::SortedList a = detail::out_list(graph, u);
  const detail::SortedList b = detail::out_list(graph, v);
  const bool swapped = a.length > b.length;
  return detail::chosen_of(swapped ? b : a, swapped ? a : b, graph.out.targets, counts);
}

/// `none` has no neighbours.
template <class Attribute>
__device__ __forceinline__ std::int64_t common_neighbours(const Graph<Attribute>& graph, Vertex u,
                                                          Vertex v) {
  if (u == kNoVertex || v == kNoVertex) return 0;
  detail::SortedList shorter{graph.out.targets + graph.out.offsets[u],
                             detail::degree(graph.out, u)};
  detail::SortedList longer{graph.out.targets + graph.out.offsets[v], detail::degree(graph.out, v)};
  if (shorter.length > longer.length) {
    const detail::SortedList other = shorter;
    shorter = longer;
    longer = other;
  }
  return detail::common_of(shorter, longer);
}

}  // namespace vertigo::gpu
