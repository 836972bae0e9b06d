#pragma once
// The graph as kernels see it: compressed rows in both directions, 64-bit offsets, 32-bit targets,
// and one value per edge.

#include "vertigo/core/scalar.h"

namespace vertigo::gpu {

/// Neighbours of v: targets[offsets[v] .. offsets[v + 1]).
struct Adjacency {
  const EdgeIndex* __restrict__ offsets = nullptr;
  const Vertex* __restrict__ targets = nullptr;

  __device__ __forceinline__ EdgeIndex begin(Vertex v) const { return offsets[v]; }
  __device__ __forceinline__ EdgeIndex end(Vertex v) const { return offsets[v + 1]; }
  __device__ __forceinline__ EdgeIndex degree(Vertex v) const {
    return offsets[v + 1] - offsets[v];
  }
};

struct Graph {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
  Adjacency out;
  Adjacency in;  ///< empty where the plan needs no transpose
};

/// The edge attribute in the order of one adjacency, or one value for all edges where the graph
/// carries none.
template <class T>
struct EdgeValues {
  const T* __restrict__ values = nullptr;
  T everywhere = T{};

  __device__ __forceinline__ T operator[](EdgeIndex e) const {
    return values ? values[e] : everywhere;
  }
};

}  // namespace vertigo::gpu
