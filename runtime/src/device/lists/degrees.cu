#include <algorithm>
#include <functional>

#include "../check.h"
#include "degrees.h"
#include "each.cuh"
#include "vertigo/device/gather.cuh"

namespace vertigo::gpu::lists {

namespace {

constexpr const char* kMeasure = "look at the lengths of lists";
constexpr std::uint32_t kCounted = graph::DegreeCounts::kCounted;
/// Lengths that each block counts in shared memory first: on a road all are below 8, and one
/// counter for all blocks would be waited for by each vertex.
constexpr std::uint32_t kShared = 1024;

/// In device memory, 0 before.
struct Lengths {
  std::uint32_t* counts;  ///< of the lengths below kCounted
  EdgeIndex* longer;      ///< the others
  std::uint32_t* longer_count;
};

__global__ void __launch_bounds__(kBlock)
    count_lengths(const EdgeIndex* offsets, Vertex vertices, const Lengths lengths) {
  __shared__ std::uint32_t here[kShared];
  for (std::uint32_t length = threadIdx.x; length < kShared; length += kBlock) here[length] = 0;
  __syncthreads();
  for_each(vertices, [&](std::uint64_t v) {
    const EdgeIndex length = offsets[v + 1] - offsets[v];
    if (length < kShared)
      atomicAdd(&here[length], 1u);
    else if (length < kCounted)
      atomicAdd(&lengths.counts[length], 1u);
    else
      lengths.longer[atomicAdd(lengths.longer_count, 1u)] = length;
  });
  __syncthreads();
  for (std::uint32_t length = threadIdx.x; length < kShared; length += kBlock)
    if (here[length] != 0) atomicAdd(&lengths.counts[length], here[length]);
}

__global__ void __launch_bounds__(kBlock)
    find_first(const EdgeIndex* offsets, Vertex vertices, EdgeIndex length, Vertex* first) {
  Vertex mine = kNoVertex;
  for_each(vertices, [&](std::uint64_t v) {
    if (offsets[v + 1] - offsets[v] == length) mine = Min{}(mine, static_cast<Vertex>(v));
  });
  mine = gpu::detail::combine_warp(mine, Min{});
  if (lane() == 0 && mine != kNoVertex) atomicMin(first, mine);
}

/// A warp makes a word: all of its lanes come along to the end.
__global__ void __launch_bounds__(kBlock)
    mark_filled(const EdgeIndex* offsets, Vertex vertices, std::uint32_t* words) {
  for (std::uint64_t begin = gpu::detail::block_start(); begin < vertices;
       begin += gpu::detail::grid_stride()) {
    const std::uint64_t v = begin + threadIdx.x;
    const bool is_filled = v < vertices && offsets[v + 1] != offsets[v];
    const std::uint32_t word = __ballot_sync(kAllLanes, is_filled);
    if (lane() == 0 && v < vertices) words[v / kWarp] = word;
  }
}

graph::DegreeCounts counts_of(const DeviceArray<EdgeIndex>& offsets, Vertex vertices,
                              EdgeIndex edges, SharedDevice& shared) {
  cudaStream_t const stream = shared.device.stream;
  const auto counts = zeros<std::uint32_t>(kCounted, stream, kMeasure);
  const auto longer_count = zeros<std::uint32_t>(1, stream, kMeasure);
  const DeviceArray<EdgeIndex> longer(edges / kCounted, kMeasure);
  const Lengths lengths{counts.data(), longer.data(), longer_count.data()};
  count_lengths<<<blocks_for(vertices), kBlock, 0, stream>>>(offsets.data(), vertices, lengths);
  check(cudaGetLastError(), kMeasure);
  // Pinned buffers for so much would take longer to make than this does without.
  std::vector<std::uint32_t> seen(kCounted);
  check(cudaMemcpyAsync(seen.data(), counts.data(), kCounted * sizeof seen[0],
                        cudaMemcpyDeviceToHost, stream),
        kMeasure);
  check(cudaStreamSynchronize(stream), kMeasure);
  graph::DegreeCounts result;
  result.longer.resize(fetched(longer_count.data(), stream, kMeasure));
  shared.fetch(result.longer.data(), longer.data(), result.longer.size() * sizeof(EdgeIndex));
  std::ranges::sort(result.longer, std::greater<>());
  while (!seen.empty() && seen.back() == 0) seen.pop_back();
  result.lists.assign(seen.begin(), seen.end());
  return result;
}

}  // namespace

graph::DegreeFacts degree_facts_of(const DeviceArray<EdgeIndex>& offsets, Vertex vertices,
                                   EdgeIndex edges, SharedDevice& shared) {
  cudaStream_t const stream = shared.device.stream;
  graph::DegreeFacts facts{counts_of(offsets, vertices, edges, shared)};
  if (vertices == 0) return facts;
  const DeviceArray<Vertex> first(1, kMeasure);
  check(cudaMemsetAsync(first.data(), 0xFF, sizeof(Vertex), stream), kMeasure);
  find_first<<<blocks_for(vertices), kBlock, 0, stream>>>(offsets.data(), vertices,
                                                          facts.counts.longest(), first.data());
  check(cudaGetLastError(), kMeasure);
  facts.first_longest = fetched(first.data(), stream, kMeasure);
  return facts;
}

std::vector<std::uint64_t> filled_of(const DeviceArray<EdgeIndex>& offsets, Vertex vertices,
                                     SharedDevice& shared) {
  std::vector<std::uint64_t> bits((std::uint64_t{vertices} + 63) / 64);
  const auto words = zeros<std::uint32_t>(2 * bits.size(), shared.device.stream, kMeasure);
  mark_filled<<<blocks_for(vertices), kBlock, 0, shared.device.stream>>>(offsets.data(), vertices,
                                                                         words.data());
  check(cudaGetLastError(), kMeasure);
  shared.fetch(bits.data(), words.data(), bits.size() * sizeof bits[0]);
  return bits;
}

}  // namespace vertigo::gpu::lists
