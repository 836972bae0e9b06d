#pragma once
// `common_neighbours(u, v)` of the language: how many vertices are out-neighbours of both. Lists
// ascend; a vertex that stands in one several times, by parallel edges, counts once.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "vertigo/cpu/graph_view.h"

namespace vertigo::cpu {

namespace detail {

/// A list so many times as long as the other is searched, not gone through.
inline constexpr std::ptrdiff_t kSearchRatio = 16;

/// Goes through both lists, without a branch that depends on what is found.
inline std::int64_t common_by_merging(NeighbourRange a, NeighbourRange b) {
  std::int64_t count = 0;
  Vertex last = kNoVertex;  // of the common ones
  while (a.first != a.last && b.first != b.last) {
    const Vertex x = *a.first;
    const Vertex y = *b.first;
    const bool is_new = (x == y) & (x != last);
    count += is_new;
    last = is_new ? x : last;
    a.first += x <= y;
    b.first += y <= x;
  }
  return count;
}

/// Looks the vertices of the shorter list up in the rest of the longer.
inline std::int64_t common_by_searching(NeighbourRange shorter, NeighbourRange longer) {
  std::int64_t count = 0;
  Vertex last = kNoVertex;
  for (const Vertex x : shorter) {
    if (x == last) continue;
    last = x;
    longer.first = std::lower_bound(longer.first, longer.last, x);
    if (longer.first == longer.last) break;
    count += *longer.first == x;
  }
  return count;
}

}  // namespace detail

/// Of the vertices that both have, those to which `counts(place)` holds of both edges. Where edges
/// are chosen, lists have no duplicates.
template <class View, class Counts>
inline std::int64_t common_neighbours(const View& graph, Vertex u, Vertex v, const Counts& counts) {
  if (u == kNoVertex || v == kNoVertex) return 0;
  if (out_degree(graph, u) > out_degree(graph, v)) std::swap(u, v);
  const Vertex* const targets = graph.out.targets;
  EdgeIndex a = graph.out.offsets[u], b = graph.out.offsets[v];
  const EdgeIndex a_end = graph.out.offsets[u + 1], b_end = graph.out.offsets[v + 1];
  const bool search = (b_end - b) / detail::kSearchRatio > a_end - a;
  std::int64_t count = 0;
  for (; a < a_end && b < b_end; ++a) {
    if (!counts(a)) continue;
    const Vertex x = targets[a];
    if (search)
      b = static_cast<EdgeIndex>(std::lower_bound(targets + b, targets + b_end, x) - targets);
    else
      while (b < b_end && targets[b] < x) ++b;
    if (b < b_end && targets[b] == x && counts(b)) ++count;
  }
  return count;
}

/// `none` has no neighbours.
template <class View>
inline std::int64_t common_neighbours(const View& graph, Vertex u, Vertex v) {
  if (u == kNoVertex || v == kNoVertex) return 0;
  NeighbourRange shorter = out_neighbours(graph, u);
  NeighbourRange longer = out_neighbours(graph, v);
  if (shorter.last - shorter.first > longer.last - longer.first) std::swap(shorter, longer);
  return (longer.last - longer.first) / detail::kSearchRatio > shorter.last - shorter.first
             ? detail::common_by_searching(shorter, longer)
             : detail::common_by_merging(shorter, longer);
}

}  // namespace vertigo::cpu
