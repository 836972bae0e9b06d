#pragma once
// Disjoint sets that any number of threads join at once: one parent per vertex, roots are their own
// parents. A parent is never larger than its child, so every walk towards a root descends and ends,
// and what a thread read before others moved on is still an ancestor.
//
// Source: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling" (Afforest), figure 3.

#include "vertigo/core/scalar.h"
#include "vertigo/cpu/atomics.h"

namespace vertigo::cpu {

/// Joins the sets of u and v: hooks the larger of two ancestors below the smaller one as soon as
/// the larger one is a root, and climbs otherwise.
inline void join(Vertex* parents, Vertex u, Vertex v) {
  Vertex a = load_relaxed(parents[u]);
  Vertex b = load_relaxed(parents[v]);
  while (a != b) {
    const Vertex larger = a < b ? b : a;
    const Vertex smaller = a < b ? a : b;
    Vertex above = load_relaxed(parents[larger]);
    if (above == smaller) return;
    if (above == larger) {
      if (__atomic_compare_exchange_n(parents + larger, &above, smaller, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        return;
      if (above == smaller) return;
    }
    a = load_relaxed(parents[above]);
    b = load_relaxed(parents[smaller]);
  }
}

/// Makes the root v's parent and returns it; nobody hooks meanwhile.
inline Vertex compress(Vertex* parents, Vertex v) {
  Vertex root = load_relaxed(parents[v]);
  for (Vertex above = load_relaxed(parents[root]); above != root;
       above = load_relaxed(parents[root]))
    root = above;
  store_relaxed(parents[v], root);
  return root;
}

}  // namespace vertigo::cpu
