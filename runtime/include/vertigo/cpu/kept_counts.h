#pragma once
// Numbers of common neighbours, kept for every edge while edges fall. An edge's number lies at its
// entry in the list of the end that comes first.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "vertigo/cpu/intersect.h"

namespace vertigo::cpu {

namespace detail {

template <class View, class Was, class Now>
struct Uncount {
  const View& graph;
  Vertex u, v;
  std::int32_t* numbers;
  const Was& was;
  const Now& now;

  /// `place`: of the edge in the list of `from`.
  void lower(Vertex from, Vertex to, EdgeIndex place) const {
    const EdgeIndex first = from <= to ? place : edge_place(graph, to, from);
    __atomic_fetch_sub(numbers + first, 1, __ATOMIC_RELAXED);
  }

  /// `w` is in both lists. Of the two or three edges of a triangle that fall at once, the one
  /// whose opposite vertex is the greatest lowers the number of the third.
  void at(Vertex w, EdgeIndex from_u, EdgeIndex from_v) const {
    if (!was(from_u) || !was(from_v)) return;
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
};

}  // namespace detail

/// The edge between `u` and `v` no longer counts, which it did: every edge that made a triangle
/// with it and is left has one common neighbour less. `was(place)`: whether an edge counted
/// before; `now(place)`: whether it still does. Called once for each edge that falls, while `was`
/// stays as it is.
template <class View, class Was, class Now>
inline void uncount(const View& graph, Vertex u, Vertex v, std::int32_t* numbers, const Was& was,
                    const Now& now) {
  if (out_degree(graph, u) > out_degree(graph, v)) std::swap(u, v);
  const detail::Uncount<View, Was, Now> edge{graph, u, v, numbers, was, now};
  const Vertex* const targets = graph.out.targets;
  EdgeIndex a = graph.out.offsets[u], b = graph.out.offsets[v];
  const EdgeIndex a_end = graph.out.offsets[u + 1], b_end = graph.out.offsets[v + 1];
  const bool search = (b_end - b) / detail::kSearchRatio > a_end - a;
  for (; a < a_end && b < b_end; ++a) {
    if (!was(a)) continue;
    const Vertex w = targets[a];
    if (search)
      b = static_cast<EdgeIndex>(std::lower_bound(targets + b, targets + b_end, w) - targets);
    else
      while (b < b_end && targets[b] < w) ++b;
    if (b < b_end && targets[b] == w) edge.at(w, a, b);
  }
}

}  // namespace vertigo::cpu
