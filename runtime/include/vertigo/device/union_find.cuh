#pragma once
// Disjoint sets on the device: one parent per vertex, roots are their own parents. Any number of
// threads may join sets at once.
//
// A parent never comes after its child in the order of hooking. So every walk towards a root is
// strictly ascending in that order and ends, no cycle can form, and what a thread read before
// others moved on is still an ancestor. The order is a hash of the vertex: with plain ids the early
// vertices of a scale-free graph draw all hooks to a few addresses (kron21: 0.73 ms against 0.27
// ms, H200, 2026-11-21).
//
// Source: Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling" (Afforest), figure 3; Jaiganesh, Burtscher, "A High-Performance Connected Components
// Implementation for GPUs" (ECL-CC), section 3.

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

/// A vertex's place in the order of hooking: a bijection, so no two vertices tie.
__device__ __forceinline__ std::uint32_t hooking_place(Vertex v) {
  const std::uint32_t mixed = v * 0x9E3779B1u;
  return mixed ^ (mixed >> 15);
}

__device__ __forceinline__ bool hooks_below(Vertex a, Vertex b) {
  return hooking_place(a) < hooking_place(b);
}

/// The root above v. Others may be hooking roots; then it was the root at some moment.
__device__ __forceinline__ Vertex find_root(const Vertex* parents, Vertex v) {
  Vertex parent = load_relaxed(parents[v]);
  while (true) {
    const Vertex above = load_relaxed(parents[parent]);
    if (above == parent) return parent;
    parent = above;
  }
}

/// Joins the sets of u and v: hooks the later of two ancestors below the earlier one as soon as the
/// later one is a root, and climbs otherwise.
__device__ __forceinline__ void join(Vertex* parents, Vertex u, Vertex v) {
  // The first two reads may come from the first-level cache: an old parent is an ancestor too.
  Vertex a = load_cached(parents[u]);
  Vertex b = load_cached(parents[v]);
  while (a != b) {
    const bool b_first = hooks_below(b, a);
    const Vertex later = b_first ? a : b;
    const Vertex earlier = b_first ? b : a;
    Vertex above = load_relaxed(parents[later]);
    if (above == earlier) return;
    if (above == later) {
      above = atomicCAS(parents + later, later, earlier);
      if (above == later || above == earlier) return;
    }
    a = load_relaxed(parents[above]);
    b = load_relaxed(parents[earlier]);
  }
}

/// Makes the root v's parent and returns it; nobody hooks meanwhile.
__device__ __forceinline__ Vertex compress(Vertex* parents, Vertex v) {
  const Vertex parent = load_cached(parents[v]);
  Vertex root = parent;
  // Hot roots come from the first-level cache: one second-level line serves about one read a clock.
  for (Vertex above = load_cached(parents[root]); above != root; above = load_cached(parents[root]))
    root = above;
  if (root != parent) store_relaxed(parents[v], root);
  return root;
}

}  // namespace vertigo::gpu
