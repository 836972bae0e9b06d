// Places of vertices in the order of degrees, and lists that call neighbours by them.

#include <algorithm>

#include "sorting.h"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::prepare {

namespace {

constexpr const char* kHubs = "order values by degree";

/// Values that the first-level cache of a processor holds, beside what else passes through it.
constexpr Vertex kCached = 1u << 14;
/// Of 8 bytes each, in a line of the cache.
constexpr Vertex kLine = 16;
constexpr unsigned kSamples = 1u << 18;
/// Of the sampled edges, this share must come to read from the cache that did not before: ordering
/// costs about as much as five sweeps along all edges gain where it is a quarter.
constexpr double kGain = 0.15;

unsigned blocks_over(std::uint64_t count) {
  return static_cast<unsigned>((count + kBlock - 1) / kBlock);
}

__global__ void __launch_bounds__(kBlock)
    invert(const Vertex* order, Vertex count, Vertex* places) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i < count) places[order[i]] = static_cast<Vertex>(i);
}

struct Sampled {
  unsigned by_degree;  ///< edges that would read one of the first values
  unsigned by_vertex;  ///< edges that read from the line of the edge before, or from few values
};

/// Edges at even distances from each other.
__global__ void __launch_bounds__(kBlock)
    sample(const Neighbours lists, const Vertex* places, EdgeIndex distance, Sampled* found) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  const EdgeIndex e = i * distance;
  bool by_degree = false;
  bool by_vertex = false;
  if (i < kSamples && e + 1 < lists.edge_count) {
    const Vertex one = lists.targets[e];
    by_degree = places[one] < kCached;
    by_vertex = one / kLine == lists.targets[e + 1] / kLine;
  }
  const unsigned first = __popc(__ballot_sync(kAllLanes, by_degree));
  const unsigned second = __popc(__ballot_sync(kAllLanes, by_vertex));
  if (lane() != 0) return;
  atomicAdd(&found->by_degree, first);
  atomicAdd(&found->by_vertex, second);
}

__global__ void __launch_bounds__(kBlock)
    rename(const Vertex* targets, EdgeIndex count, const Vertex* places, Vertex* renamed) {
  constexpr unsigned kTogether = 4;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kBlock;
  for (std::uint64_t first = gpu::detail::block_start() + threadIdx.x; first < count;
       first += kTogether * stride) {
    Vertex ends[kTogether];
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i)
      if (first + i * stride < count) ends[i] = load_streaming(targets + (first + i * stride));
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i)
      if (first + i * stride < count) renamed[first + i * stride] = places[ends[i]];
  }
}

}  // namespace

bool may_have_hubs(Vertex vertex_count, std::uint64_t longest_list) {
  // Few values stay in the cache in whatever order.
  return vertex_count > 4 * kCached && longest_list >= kBlock;
}

std::uint64_t hub_memory(Vertex vertex_count) {
  return array_bytes<Vertex>(vertex_count) + array_bytes<Sampled>(1) + order_memory(vertex_count);
}

bool place_hubs(Stream stream, const Degrees& degrees, const Neighbours& lists, Vertex* places) {
  if (lists.vertex_count == 0) return false;
  WorkingMemory memory(stream);
  auto* const order = memory.take<Vertex>(lists.vertex_count, kHubs);
  approximate_order(stream, degrees, lists.vertex_count, order);
  invert<<<blocks_over(lists.vertex_count), kBlock, 0, stream>>>(order, lists.vertex_count, places);
  auto* const found = memory.take<Sampled>(1, kHubs);
  check(cudaMemsetAsync(found, 0, sizeof *found, stream), kHubs);
  const EdgeIndex distance = std::max<EdgeIndex>(1, lists.edge_count / kSamples);
  sample<<<blocks_over(kSamples), kBlock, 0, stream>>>(lists, places, distance, found);
  check(cudaGetLastError(), kHubs);
  Sampled told{};
  check(cudaMemcpyAsync(&told, found, sizeof told, cudaMemcpyDeviceToHost, stream), kHubs);
  memory.finish(kHubs);
  const double samples = static_cast<double>(std::min<EdgeIndex>(kSamples, lists.edge_count));
  return told.by_degree > told.by_vertex + kGain * samples;
}

void call_by_places(Stream stream, const Neighbours& lists, const Vertex* places, Vertex* renamed) {
  if (lists.edge_count == 0) return;
  constexpr unsigned kMost = 1u << 16;
  rename<<<std::min(kMost, blocks_over(lists.edge_count)), kBlock, 0, stream>>>(
      lists.targets, lists.edge_count, places, renamed);
  check(cudaGetLastError(), kHubs);
}

}  // namespace vertigo::gpu::prepare
