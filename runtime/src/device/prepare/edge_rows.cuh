#pragma once
// One thread per edge, with the list that the edge stands in.

#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::prepare {

/// Edges of a block: enough to pay for its search.
inline constexpr unsigned kEdgesPerBlock = 8 * kBlock;

/// The last list in [first, last] that begins at or before `edge`: the one that holds it, for the
/// empty ones before it begin there too.
__device__ __forceinline__ Vertex list_of(const EdgeIndex* offsets, Vertex first, Vertex last,
                                          EdgeIndex edge) {
  while (first < last) {
    const Vertex middle = last - (last - first) / 2;
    if (offsets[middle] <= edge)
      first = middle;
    else
      last = middle - 1;
  }
  return first;
}

/// visit(edge, list) for every edge of the block. All its threads call.
template <class Visit>
__device__ __forceinline__ void for_each_edge(const EdgeIndex* offsets, Vertex vertex_count,
                                              EdgeIndex edge_count, const Visit& visit) {
  __shared__ Vertex ends[2];
  const EdgeIndex begin = EdgeIndex{blockIdx.x} * kEdgesPerBlock;
  const EdgeIndex end = edge_count - begin < kEdgesPerBlock ? edge_count : begin + kEdgesPerBlock;
  if (threadIdx.x < 2)
    ends[threadIdx.x] = list_of(offsets, 0, vertex_count - 1, threadIdx.x == 0 ? begin : end - 1);
  __syncthreads();
  for (EdgeIndex e = begin + threadIdx.x; e < end; e += kBlock)
    visit(e, list_of(offsets, ends[0], ends[1], e));
}

inline unsigned edge_blocks(EdgeIndex edge_count) {
  return static_cast<unsigned>((edge_count + kEdgesPerBlock - 1) / kEdgesPerBlock);
}
inline unsigned vertex_blocks(std::uint64_t vertex_count) {
  return static_cast<unsigned>((vertex_count + kBlock - 1) / kBlock);
}

}  // namespace vertigo::gpu::prepare
