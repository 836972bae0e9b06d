#pragma once
// What kernels ask of the graph besides its edges.

#include "vertigo/core/random.h"
#include "vertigo/device/buffers.cuh"

namespace vertigo::gpu {

namespace detail {

template <class Attribute>
__device__ __forceinline__ EdgeIndex degree(const Adjacency<Attribute>& adjacency, Vertex v) {
  return adjacency.offsets[v + 1] - adjacency.offsets[v];
}

template <class Attribute>
__device__ __forceinline__ Attribute attribute(const Adjacency<Attribute>& adjacency, EdgeIndex e) {
  return adjacency.attributes ? adjacency.attributes[e] : adjacency.everywhere;
}

}  // namespace detail

template <class Attribute>
__device__ __forceinline__ EdgeIndex out_degree(const Graph<Attribute>& graph, Vertex v) {
  return detail::degree(graph.out, v);
}
template <class Attribute>
__device__ __forceinline__ EdgeIndex in_degree(const Graph<Attribute>& graph, Vertex v) {
  return detail::degree(graph.in, v);
}

/// Where the edge stands among all out-edges: lists ascend, and the edge is there once.
template <class Attribute>
__device__ __forceinline__ EdgeIndex edge_place(const Graph<Attribute>& graph, Vertex from,
                                                Vertex to) {
  EdgeIndex first = graph.out.offsets[from];
  EdgeIndex last = graph.out.offsets[from + 1];
  while (first < last) {
    const EdgeIndex middle = first + (last - first) / 2;
    if (__ldg(graph.out.targets + middle) < to)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/// The language's `random(v, step)`: a function of the vertex's id in the input file.
template <class Attribute>
__device__ __forceinline__ double random_unit(const Graph<Attribute>& graph, Vertex v,
                                              std::uint64_t step) {
  return ::vertigo::random_unit(0, graph.ids ? graph.ids[v] : graph.first_id + v, step);
}

}  // namespace vertigo::gpu
