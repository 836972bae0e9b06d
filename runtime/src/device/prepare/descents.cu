// How far the lists of a graph are from ascending.

#include "../check.h"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/prepare.cuh"

namespace vertigo::gpu::prepare {

namespace {

constexpr unsigned kBlocks = 1024;

__device__ __forceinline__ std::uint64_t thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::uint64_t threads() { return std::uint64_t{gridDim.x} * blockDim.x; }

__device__ __forceinline__ void add_of_warp(unsigned long long* total, unsigned long long mine) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance != 0; distance /= 2)
    mine += shuffle(mine, lane() ^ distance);
  if (lane() == 0 && mine != 0) atomicAdd(total, mine);
}

/// Over all edges as one list: those between two lists are taken back by the other kernel.
__global__ void __launch_bounds__(kBlock)
    count_all_descents(const Vertex* targets, EdgeIndex edges, unsigned long long* descents) {
  unsigned long long mine = 0;
  for (EdgeIndex e = thread() + 1; e < edges; e += threads()) mine += targets[e - 1] > targets[e];
  add_of_warp(descents, mine);
}

__global__ void __launch_bounds__(kBlock)
    take_back_first_edges(const EdgeIndex* offsets, const Vertex* targets, Vertex vertices,
                          unsigned long long* descents) {
  unsigned long long mine = 0;
  for (std::uint64_t v = thread(); v < vertices; v += threads()) {
    const EdgeIndex begin = offsets[v];
    if (begin != 0 && begin != offsets[v + 1]) mine -= targets[begin - 1] > targets[begin];
  }
  add_of_warp(descents, mine);
}

}  // namespace

void count_descents(Stream stream, const Neighbours& lists, unsigned long long* descents) {
  check(cudaMemsetAsync(descents, 0, sizeof *descents, stream), "clear the count of descents");
  if (lists.edge_count == 0) return;
  count_all_descents<<<kBlocks, kBlock, 0, stream>>>(lists.targets, lists.edge_count, descents);
  check(cudaGetLastError(), "launch count_all_descents");
  take_back_first_edges<<<kBlocks, kBlock, 0, stream>>>(lists.offsets, lists.targets,
                                                        lists.vertex_count, descents);
  check(cudaGetLastError(), "launch take_back_first_edges");
}

}  // namespace vertigo::gpu::prepare
