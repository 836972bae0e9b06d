#pragma once
// Reductions over the common neighbours of two vertices: a function of each of them, folded. A
// vertex that stands in a list several times, by parallel edges, counts once.

#include <tuple>

#include "vertigo/cpu/combine.h"
#include "vertigo/cpu/intersect.h"

namespace vertigo::cpu {

/// What the function reads of the vertex at hand. (On a GPU other threads call it, too.)
template <class... T>
inline std::tuple<T...> keep(T... values) {
  return {values...};
}

namespace detail {

/// Calls `visit(x)` for each vertex that both have, until it returns false.
template <class View, class Counts, class Visit>
inline void for_each_common(const View& graph, Vertex u, Vertex v, const Counts& counts,
                            const Visit& visit) {
  if (u == kNoVertex || v == kNoVertex) return;
  if (out_degree(graph, u) > out_degree(graph, v)) std::swap(u, v);
  const Vertex* const targets = graph.out.targets;
  EdgeIndex a = graph.out.offsets[u], b = graph.out.offsets[v];
  const EdgeIndex a_end = graph.out.offsets[u + 1], b_end = graph.out.offsets[v + 1];
  const bool search = (b_end - b) / kSearchRatio > a_end - a;
  Vertex last = kNoVertex;
  for (; a < a_end && b < b_end; ++a) {
    const Vertex x = targets[a];
    if (x == last || !counts(a)) continue;
    last = x;
    if (search)
      b = static_cast<EdgeIndex>(std::lower_bound(targets + b, targets + b_end, x) - targets);
    else
      while (b < b_end && targets[b] < x) ++b;
    if (b < b_end && targets[b] == x && counts(b) && !visit(x)) return;
  }
}

}  // namespace detail

/// `fold` of `function(x, kept...)` over the vertices x that both have, from `identity` on. Where
/// `counts(place)` is given, over those to which it holds of both edges.
template <class View, class Fold, class T, class Kept, class Function, class Counts>
inline T reduce_common(const View& graph, Vertex u, Vertex v, Fold fold, T identity,
                       const Kept& kept, const Function& function, const Counts& counts) {
  T total = identity;
  detail::for_each_common(graph, u, v, counts, [&](Vertex x) {
    const auto call = [&](const auto&... values) { return function(x, values...); };
    total = fold(total, static_cast<T>(std::apply(call, kept)));
    // A truth value that has changed is settled.
    if constexpr (std::is_same_v<T, bool>) return total == identity;
    return true;
  });
  return total;
}

template <class View, class Fold, class T, class Kept, class Function>
inline T reduce_common(const View& graph, Vertex u, Vertex v, Fold fold, T identity,
                       const Kept& kept, const Function& function) {
  return reduce_common(graph, u, v, fold, identity, kept, function, [](EdgeIndex) { return true; });
}

}  // namespace vertigo::cpu
