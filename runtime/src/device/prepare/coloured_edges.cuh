#pragma once
// What kernels that look for colours read of the graph.

#include "colouring.h"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::prepare::colouring {

/// A vertex with fewer edges belongs to a thread, others belong to a warp.
constexpr std::uint32_t kFewEdges = 32;
/// Of a block of a launch that takes colours.
constexpr unsigned kThreads = 128;
/// Nobody is waited for.
constexpr Vertex kNobody = ~Vertex{0};

__device__ __forceinline__ std::uint64_t thread() {
  return gpu::detail::block_start() + threadIdx.x;
}
/// The i-th place of this thread in an array with a column for each: vertices and threads together
/// are enough for a list of all vertices.
__device__ __forceinline__ std::uint64_t few_place(unsigned i) {
  return i * gpu::detail::grid_stride() + thread();
}
/// Rows of one warp's vertices; the lanes take one of a row each.
__device__ __forceinline__ std::uint64_t many_place(unsigned i) {
  const std::uint64_t warps = gpu::detail::grid_stride() / kWarp;
  return (i / kWarp * warps + thread() / kWarp) * kWarp + i % kWarp;
}

/// The edges of a vertex, those of both lists numbered through.
struct Edges {
  const Vertex* out;
  const Vertex* in;
  std::uint64_t out_count;
  std::uint64_t begin;  ///< of the vertex in arrays as long as all lists

  __device__ __forceinline__ Edges(const ColouredGraph& graph, Vertex v)
      : out(graph.out.targets + graph.out.offsets[v]),
        in(nullptr),
        out_count(graph.out.offsets[v + 1] - graph.out.offsets[v]),
        begin(graph.out.offsets[v]) {
    if (graph.in.offsets == nullptr) return;
    in = graph.in.targets + graph.in.offsets[v];
    begin += graph.in.offsets[v];
  }
  __device__ __forceinline__ Vertex operator[](std::uint64_t i) const {
    return i < out_count ? out[i] : in[i - out_count];
  }
};

__device__ __forceinline__ std::uint64_t degree_of(const ColouredGraph& graph, Vertex v) {
  const std::uint64_t out = graph.out.offsets[v + 1] - graph.out.offsets[v];
  return graph.in.offsets == nullptr ? out : out + graph.in.offsets[v + 1] - graph.in.offsets[v];
}

}  // namespace vertigo::gpu::prepare::colouring
