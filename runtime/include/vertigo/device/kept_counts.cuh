#pragma once
// Numbers of common neighbours, kept for every edge while edges fall. An edge's number lies at its
// entry in the list of the end that comes first.
//
// As in intersect.cuh, a thread goes through short lists alone, and the lanes of a warp that are
// there at the same time share a pair of long ones.

#include "vertigo/device/intersect.cuh"

namespace vertigo::gpu {

namespace detail {

/// An edge that fell; `u` has the shorter list.
struct FallenEdge {
  SortedList of_u;
  SortedList of_v;
  Vertex u;
  Vertex v;
};

template <class Was, class Now>
struct Uncount {
  const EdgeIndex* offsets;
  const Vertex* targets;
  std::int32_t* numbers;
  Was was;
  Now now;

  /// `place`: of the edge in the list of `from`.
  __device__ __forceinline__ void lower(Vertex from, Vertex to, EdgeIndex place) const {
    if (from > to) {
      const EdgeIndex begin = offsets[to];
      place = begin + place_of({targets + begin, offsets[to + 1] - begin}, 0, from);
    }
    atomicAdd(numbers + place, -1);
  }

  /// `w` is in both lists. Of the two or three edges of a triangle that fall at once, the one
  /// whose opposite vertex is the greatest lowers the number of the third.
  __device__ __forceinline__ void at(Vertex u, Vertex v, Vertex w, EdgeIndex from_u,
                                     EdgeIndex from_v) const {
    if (!was(from_v)) return;
    const bool u_left = now(from_u), v_left = now(from_v);
    if (u == v) {  // an edge from a vertex to itself, which each of its edges shares with it
      if (w != u && u_left) lower(u, w, from_u);
    } else if (w == u) {
      if (u_left) lower(u, u, from_u);
    } else if (w == v) {
      if (v_left) lower(v, v, from_v);
    } else {
      if (u_left && (v_left || w > u)) lower(u, w, from_u);
      if (v_left && (u_left || w > v)) lower(v, w, from_v);
    }
  }

  /// The part of number `rank` of `helpers` lanes.
  __device__ __forceinline__ void part(const FallenEdge& edge, unsigned rank,
                                       unsigned helpers) const {
    const auto first_u = static_cast<EdgeIndex>(edge.of_u.first - targets);
    const auto first_v = static_cast<EdgeIndex>(edge.of_v.first - targets);
    EdgeIndex j = 0;
#pragma unroll 1
    for (EdgeIndex i = rank; i < edge.of_u.length; i += helpers) {
      if (!was(first_u + i)) continue;
      const Vertex w = __ldg(edge.of_u.first + i);
      j = place_of(edge.of_v, j, w);
      if (j >= edge.of_v.length) break;
      if (__ldg(edge.of_v.first + j) == w) at(edge.u, edge.v, w, first_u + i, first_v + j);
    }
  }

  /// Through lists of about the same length, neither of which is long.
  __device__ __forceinline__ void alone(const FallenEdge& edge) const {
    if (edge.of_v.length / kSearchRatio > edge.of_u.length) return part(edge, 0, 1);
    const auto first_u = static_cast<EdgeIndex>(edge.of_u.first - targets);
    const auto first_v = static_cast<EdgeIndex>(edge.of_v.first - targets);
    EdgeIndex j = 0;
#pragma unroll 1
    for (EdgeIndex i = 0; i < edge.of_u.length && j < edge.of_v.length; ++i) {
      if (!was(first_u + i)) continue;
      const Vertex w = __ldg(edge.of_u.first + i);
      while (j < edge.of_v.length && __ldg(edge.of_v.first + j) < w) ++j;
      if (j < edge.of_v.length && __ldg(edge.of_v.first + j) == w)
        at(edge.u, edge.v, w, first_u + i, first_v + j);
    }
  }
};

/// By value: a pointer to a kernel's parameter would push the parameters into local memory.
template <class Was, class Now>
__device__ __noinline__ void uncount_of(FallenEdge edge, Uncount<Was, Now> uncount) {
  const bool is_long = edge.of_u.length >= kIntersectTogether;
  const unsigned helpers = __activemask();
  const unsigned rank = __popc(helpers & lanes_below());
  for (unsigned left = __ballot_sync(helpers, is_long); left != 0; left &= left - 1)
    uncount.part(shuffle(edge, __ffs(left) - 1, helpers), rank, __popc(helpers));
  if (!is_long) uncount.alone(edge);
}

}  // namespace detail

/// The edge between `u` and `v` no longer counts, which it did: every edge that made a triangle
/// with it and is left has one common neighbour less. `was(place)`: whether an edge counted
/// before; `now(place)`: whether it still does; what they know besides the place is the same in
/// all threads. Called once for each edge that falls, while `was` stays as it is.
template <class Attribute, class Was, class Now>
__device__ __forceinline__ void uncount(const Graph<Attribute>& graph, Vertex u, Vertex v,
                                        std::int32_t* numbers, const Was& was, const Now& now) {
  const detail::SortedList a = detail::out_list(graph, u);
  const detail::SortedList b = detail::out_list(graph, v);
  const bool swapped = a.length > b.length;
  detail::uncount_of(
      detail::FallenEdge{swapped ? b : a, swapped ? a : b, swapped ? v : u, swapped ? u : v},
      detail::Uncount<Was, Now>{graph.out.offsets, graph.out.targets, numbers, was, now});
}

}  // namespace vertigo::gpu
