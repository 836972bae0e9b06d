// Offsets of 32 bits, the order by degree, and figures about the lists.

#include <algorithm>

#include "edge_rows.cuh"
#include "radix_sort.h"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/prepare.cuh"

namespace vertigo::gpu::prepare {

namespace {

constexpr unsigned kSampledEdges = 1u << 16;

__global__ void __launch_bounds__(kBlock)
    narrow(const EdgeIndex* offsets, std::uint64_t count, std::uint32_t* result) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i < count) result[i] = static_cast<std::uint32_t>(offsets[i]);
}

/// Keys that ascend as list lengths descend.
__global__ void __launch_bounds__(kBlock)
    length_keys(const EdgeIndex* offsets, Vertex count, std::uint32_t* keys, Vertex* vertices) {
  const std::uint64_t v = gpu::detail::block_start() + threadIdx.x;
  if (v >= count) return;
  const EdgeIndex length = offsets[v + 1] - offsets[v];
  keys[v] = length > 0xffffffffu ? 0 : 0xffffffffu - static_cast<std::uint32_t>(length);
  vertices[v] = static_cast<Vertex>(v);
}

__global__ void __launch_bounds__(kBlock)
    take_order(const Vertex* sorted, Vertex count, Vertex* old_of_new, Vertex* new_of_old) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i >= count) return;
  const Vertex v = sorted[i];
  old_of_new[i] = v;
  new_of_old[v] = static_cast<Vertex>(i);
}

struct Figures {
  unsigned long long longest;
  unsigned long long empty;
  unsigned long long in_hubs;
  unsigned long long nearby;
};

__global__ void __launch_bounds__(kBlock)
    measure_lists(const Lists lists, EdgeIndex hub, Figures* figures) {
  unsigned long long longest = 0;
  unsigned long long empty = 0;
  unsigned long long in_hubs = 0;
  for (const Vertex v : gpu::detail::AllVertices{lists.vertex_count}) {
    const EdgeIndex length = lists.offsets[v + 1] - lists.offsets[v];
    empty += length == 0;
    in_hubs += length > hub ? length : 0;
    longest = length > longest ? length : longest;
  }
  longest = gpu::detail::combine_warp(longest, Max{});
  empty = gpu::detail::combine_warp(empty, Sum{});
  in_hubs = gpu::detail::combine_warp(in_hubs, Sum{});
  if (lane() != 0) return;
  atomicMax(&figures->longest, longest);
  if (empty != 0) atomicAdd(&figures->empty, empty);
  if (in_hubs != 0) atomicAdd(&figures->in_hubs, in_hubs);
}

__global__ void __launch_bounds__(kBlock)
    measure_distances(const Lists lists, unsigned samples, Figures* figures) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= samples) return;
  const EdgeIndex e = lists.edge_count / samples * i;
  const Vertex u = list_of(lists.offsets, 0, lists.vertex_count - 1, e);
  const Vertex v = lists.targets[e];
  if ((u < v ? v - u : u - v) < DegreeStatistics::kNearby) atomicAdd(&figures->nearby, 1ull);
}

}  // namespace

void narrow_offsets(Stream stream, const EdgeIndex* offsets, std::uint64_t count,
                    std::uint32_t* narrow_result) {
  if (count == 0) return;
  narrow<<<vertex_blocks(count), kBlock, 0, stream>>>(offsets, count, narrow_result);
  check(cudaGetLastError(), "launch 'narrow'");
}

void degree_order(Stream stream, const EdgeIndex* offsets, Vertex vertex_count, Vertex* old_of_new,
                  Vertex* new_of_old) {
  if (vertex_count == 0) return;
  constexpr const char* kPurpose = "order vertices by degree";
  WorkingMemory memory(stream);
  TwoArrays<std::uint32_t> keys{memory.take<std::uint32_t>(vertex_count, kPurpose),
                                memory.take<std::uint32_t>(vertex_count, kPurpose)};
  TwoArrays<Vertex> vertices{memory.take<Vertex>(vertex_count, kPurpose),
                             memory.take<Vertex>(vertex_count, kPurpose)};
  const unsigned blocks = vertex_blocks(vertex_count);
  length_keys<<<blocks, kBlock, 0, stream>>>(offsets, vertex_count, keys.now, vertices.now);
  sort_pairs(memory, keys, vertices, vertex_count, 0, 32);
  take_order<<<blocks, kBlock, 0, stream>>>(vertices.now, vertex_count, old_of_new, new_of_old);
  check(cudaGetLastError(), kPurpose);
  memory.finish(kPurpose);
}

DegreeStatistics degree_statistics(Stream stream, const Lists& lists) {
  DegreeStatistics result;
  if (lists.vertex_count == 0) return result;
  constexpr const char* kPurpose = "measure the lists";
  WorkingMemory memory(stream);
  auto* const figures = memory.take<Figures>(1, kPurpose);
  check(cudaMemsetAsync(figures, 0, sizeof(Figures), stream), kPurpose);
  const EdgeIndex hub = 16 * (lists.edge_count / lists.vertex_count + 1);
  const unsigned blocks = vertex_blocks(lists.vertex_count);
  const unsigned reducing = std::min(blocks, kReductionBlocks);
  measure_lists<<<reducing, kBlock, 0, stream>>>(lists, hub, figures);
  const auto samples =
      static_cast<unsigned>(lists.edge_count < kSampledEdges ? lists.edge_count : kSampledEdges);
  if (samples != 0)
    measure_distances<<<vertex_blocks(samples), kBlock, 0, stream>>>(lists, samples, figures);
  check(cudaGetLastError(), kPurpose);
  Figures found{};
  check(cudaMemcpyAsync(&found, figures, sizeof found, cudaMemcpyDeviceToHost, stream), kPurpose);
  memory.finish(kPurpose);
  result.longest = found.longest;
  result.empty_lists = static_cast<Vertex>(found.empty);
  if (lists.edge_count != 0)
    result.share_of_hubs =
        static_cast<double>(found.in_hubs) / static_cast<double>(lists.edge_count);
  if (samples != 0) result.share_nearby = static_cast<double>(found.nearby) / samples;
  return result;
}

}  // namespace vertigo::gpu::prepare
