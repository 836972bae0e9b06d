// Offsets of 32 bits, and the approximate order by degree.

#include <algorithm>

#include "sorting.h"
#include "vertigo/core/degree_buckets.h"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::prepare {

namespace {

constexpr const char* kOrder = "sort vertices approximately by degree";

unsigned vertex_blocks(std::uint64_t count) {
  return static_cast<unsigned>((count + kBlock - 1) / kBlock);
}

__global__ void __launch_bounds__(kBlock)
    narrow(const EdgeIndex* offsets, std::uint64_t count, std::uint32_t* result) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i < count) result[i] = static_cast<std::uint32_t>(offsets[i]);
}

__device__ __forceinline__ EdgeIndex degree_of(const Degrees& degrees, std::uint64_t v) {
  EdgeIndex degree = degrees.offsets[v + 1] - degrees.offsets[v];
  if (degrees.more_offsets != nullptr)
    degree += degrees.more_offsets[v + 1] - degrees.more_offsets[v];
  return degree;
}

__global__ void __launch_bounds__(kBlock)
    find_range(const Degrees degrees, Vertex count, unsigned long long* least_and_most) {
  unsigned long long least = ~0ull;
  unsigned long long most = 0;
  for (const Vertex v : gpu::detail::AllVertices{0, count}) {
    const unsigned long long degree = degree_of(degrees, v);
    least = degree < least ? degree : least;
    most = degree > most ? degree : most;
  }
  least = gpu::detail::combine_warp(least, Min{});
  most = gpu::detail::combine_warp(most, Max{});
  if (lane() != 0 || least > most) return;
  atomicMin(least_and_most, least);
  atomicMax(least_and_most + 1, most);
}

/// Counts the vertices of each bucket; `places`: how many a vertex found before it. Most vertices
/// fall into few buckets, so the lanes of a warp that fall into one add up first.
__global__ void __launch_bounds__(kBlock)
    assign_buckets(const Degrees degrees, Vertex count, const DegreeBuckets buckets,
                   unsigned long long* counts, Vertex* places) {
  const std::uint64_t v = gpu::detail::block_start() + threadIdx.x;
  const bool inside = v < count;
  const unsigned bucket = inside ? static_cast<unsigned>(buckets.of(degree_of(degrees, v))) : ~0u;
  const unsigned same = __match_any_sync(kAllLanes, bucket);
  const unsigned first = __ffs(same) - 1;
  unsigned long long before = 0;
  if (inside && lane() == first) before = atomicAdd(counts + bucket, __popc(same));
  before = __shfl_sync(kAllLanes, before, first);
  if (inside) places[v] = static_cast<Vertex>(before) + __popc(same & ((1u << lane()) - 1));
}

__global__ void __launch_bounds__(kBlock)
    scatter(const Degrees degrees, Vertex count, const DegreeBuckets buckets,
            const std::uint64_t* starts, const Vertex* places, Vertex* order) {
  const std::uint64_t v = gpu::detail::block_start() + threadIdx.x;
  if (v >= count) return;
  order[starts[buckets.of(degree_of(degrees, v))] + places[v]] = static_cast<Vertex>(v);
}

__global__ void __launch_bounds__(kBlock) order_by_id(Vertex count, Vertex* order) {
  const std::uint64_t v = gpu::detail::block_start() + threadIdx.x;
  if (v < count) order[v] = static_cast<Vertex>(v);
}

}  // namespace

void narrow_offsets(Stream stream, const EdgeIndex* offsets, std::uint64_t count,
                    std::uint32_t* narrow_result) {
  if (count == 0) return;
  narrow<<<vertex_blocks(count), kBlock, 0, stream>>>(offsets, count, narrow_result);
  check(cudaGetLastError(), "launch 'narrow'");
}

std::uint64_t order_memory(Vertex vertex_count) {
  if (vertex_count == 0) return 0;
  return array_bytes<unsigned long long>(2) +
         array_bytes<unsigned long long>(DegreeBuckets::kCount) +
         array_bytes<std::uint64_t>(DegreeBuckets::kCount) + array_bytes<Vertex>(vertex_count) +
         sum_memory<std::uint64_t, std::uint64_t>(DegreeBuckets::kCount);
}

void approximate_order(Stream stream, const Degrees& degrees, Vertex vertex_count, Vertex* order) {
  if (vertex_count == 0) return;
  WorkingMemory memory(stream);
  auto* const range = memory.take<unsigned long long>(2, kOrder);
  unsigned long long least_and_most[2] = {~0ull, 0};
  check(
      cudaMemcpyAsync(range, least_and_most, sizeof least_and_most, cudaMemcpyHostToDevice, stream),
      kOrder);
  const unsigned blocks = vertex_blocks(vertex_count);
  find_range<<<std::min(blocks, kReductionBlocks), kBlock, 0, stream>>>(degrees, vertex_count,
                                                                        range);
  check(
      cudaMemcpyAsync(least_and_most, range, sizeof least_and_most, cudaMemcpyDeviceToHost, stream),
      kOrder);
  memory.finish(kOrder);
  if (least_and_most[0] == least_and_most[1]) {
    order_by_id<<<blocks, kBlock, 0, stream>>>(vertex_count, order);
    check(cudaGetLastError(), kOrder);
    return;
  }
  const DegreeBuckets buckets(least_and_most[0], least_and_most[1]);
  auto* const counts = memory.take<unsigned long long>(DegreeBuckets::kCount, kOrder);
  auto* const starts = memory.take<std::uint64_t>(DegreeBuckets::kCount, kOrder);
  auto* const places = memory.take<Vertex>(vertex_count, kOrder);
  check(cudaMemsetAsync(counts, 0, DegreeBuckets::kCount * sizeof *counts, stream), kOrder);
  assign_buckets<<<blocks, kBlock, 0, stream>>>(degrees, vertex_count, buckets, counts, places);
  exclusive_sum(memory, reinterpret_cast<const std::uint64_t*>(counts), starts,
                DegreeBuckets::kCount);
  scatter<<<blocks, kBlock, 0, stream>>>(degrees, vertex_count, buckets, starts, places, order);
  check(cudaGetLastError(), kOrder);
  memory.finish(kOrder);
}

}  // namespace vertigo::gpu::prepare
