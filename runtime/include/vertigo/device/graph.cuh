#pragma once
// The graph as kernels see it: compressed rows in both directions, 64-bit offsets, 32-bit targets,
// one value per edge where the program has an edge attribute, and the ids of the input file.

#include "vertigo/core/random.h"
#include "vertigo/core/scalar.h"

namespace vertigo::gpu {

/// Stands for the edge attribute of programs that have none.
struct NoAttribute {};

/// Neighbours of v: targets[offsets[v] .. offsets[v + 1]), their attributes beside them.
template <class Attribute>
struct Adjacency {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const Attribute* attributes = nullptr;  ///< null: `everywhere` on every edge
  Attribute everywhere{};

  __device__ __forceinline__ EdgeIndex begin(Vertex v) const { return offsets[v]; }
  __device__ __forceinline__ EdgeIndex end(Vertex v) const { return offsets[v + 1]; }
  __device__ __forceinline__ EdgeIndex degree(Vertex v) const { return end(v) - begin(v); }
  __device__ __forceinline__ Attribute attribute(EdgeIndex e) const {
    return attributes ? attributes[e] : everywhere;
  }
};

template <class AttributeType = NoAttribute>
struct Graph {
  using Attribute = AttributeType;

  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
  bool symmetric = false;  ///< then `in` is `out`
  Adjacency<Attribute> out;
  Adjacency<Attribute> in;  ///< empty where the plan needs no transpose
  std::uint64_t first_id = 0;
  const std::uint64_t* ids = nullptr;  ///< input ids; null: first_id, first_id + 1, …
};

template <class Attribute>
__device__ __forceinline__ EdgeIndex out_degree(const Graph<Attribute>& graph, Vertex v) {
  return graph.out.degree(v);
}
template <class Attribute>
__device__ __forceinline__ EdgeIndex in_degree(const Graph<Attribute>& graph, Vertex v) {
  return graph.in.degree(v);
}

/// The language's `random(v, step)`: a function of the vertex's id in the input file.
template <class Attribute>
__device__ __forceinline__ double random_unit(const Graph<Attribute>& graph, Vertex v,
                                              std::uint64_t step) {
  return random_unit(0, graph.ids ? graph.ids[v] : graph.first_id + v, step);
}

}  // namespace vertigo::gpu
