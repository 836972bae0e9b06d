#include "../check.h"
#include "each.cuh"
#include "lists.h"
#include "vertigo/device/gather.cuh"

namespace vertigo::gpu::text {

namespace {

__device__ __forceinline__ std::uint32_t source_of(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge >> 32);
}
__device__ __forceinline__ std::uint32_t target_of(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge);
}

/// Adds what the lanes of a warp have.
__device__ __forceinline__ void add_up(unsigned long long mine, unsigned long long* sum) {
  mine = gpu::detail::combine_warp(mine, Sum{});
  if (lane() == 0 && mine != 0) atomicAdd(sum, mine);
}

__device__ __forceinline__ void mark(std::uint32_t* bits, std::uint32_t id) {
  const std::uint32_t bit = 1u << (id % 32);
  // Most ids come again and again.
  if ((load_relaxed(bits[id / 32]) & bit) == 0) atomicOr(bits + id / 32, bit);
}

__global__ void __launch_bounds__(kBlock) mark_ids(const Edges edges, std::uint32_t* bits) {
  for_each(edges.count, [&](std::uint64_t i) {
    mark(bits, source_of(edges.ids[i]));
    mark(bits, target_of(edges.ids[i]));
  });
}

__global__ void __launch_bounds__(kBlock)
    mark_targets(const Vertex* targets, std::uint64_t edges, std::uint32_t* bits) {
  for_each(edges, [&](std::uint64_t i) { mark(bits, targets[i]); });
}

__global__ void __launch_bounds__(kBlock)
    count_bits(const std::uint32_t* bits, std::uint64_t words, std::uint32_t* counts) {
  for_each(words,
           [&](std::uint64_t i) { counts[i] = static_cast<std::uint32_t>(__popc(bits[i])); });
}

__global__ void __launch_bounds__(kBlock)
    rank_ids(const Edges edges, const std::uint32_t* bits, const std::uint32_t* ranks) {
  const auto rank = [&](std::uint32_t id) {
    const std::uint32_t below = bits[id / 32] & ((1u << (id % 32)) - 1);
    return ranks[id / 32] + static_cast<std::uint32_t>(__popc(below));
  };
  for_each(edges.count, [&](std::uint64_t i) {
    const std::uint64_t edge = edges.ids[i];
    edges.ids[i] = std::uint64_t{rank(source_of(edge))} << 32 | rank(target_of(edge));
  });
}

__global__ void __launch_bounds__(kBlock) shift_ids(const Edges edges, std::uint32_t shift) {
  const std::uint64_t both = std::uint64_t{shift} << 32 | shift;
  for_each(edges.count, [&](std::uint64_t i) { edges.ids[i] -= both; });
}

__global__ void __launch_bounds__(kBlock)
    count_descents(const Edges edges, unsigned long long* descents) {
  unsigned long long mine = 0;
  for_each(edges.count, [&](std::uint64_t i) { mine += i > 0 && edges.ids[i] < edges.ids[i - 1]; });
  add_up(mine, descents);
}

__global__ void __launch_bounds__(kBlock) look_at_edges(const Edges edges, Seen* seen) {
  Seen mine{0, 0};
  for_each(edges.count, [&](std::uint64_t i) {
    const std::uint64_t edge = edges.ids[i];
    mine.self_loops += source_of(edge) == target_of(edge);
    mine.duplicates += i > 0 && edges.ids[i - 1] == edge;
  });
  add_up(mine.self_loops, &seen->self_loops);
  add_up(mine.duplicates, &seen->duplicates);
}

/// Each by a search of its own: a vertex without edges costs no more than any other.
__global__ void __launch_bounds__(kBlock)
    find_offsets(const Edges edges, Vertex vertices, EdgeIndex* offsets) {
  for_each(std::uint64_t{vertices} + 1, [&](std::uint64_t v) {
    std::uint64_t low = 0;
    std::uint64_t high = v < vertices ? edges.count : 0;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (edges.ids[middle] < v << 32)
        low = middle + 1;
      else
        high = middle;
    }
    offsets[v] = v < vertices ? low : edges.count;
  });
}

__global__ void __launch_bounds__(kBlock) cut_targets(const Edges edges, Vertex* targets) {
  for_each(edges.count, [&](std::uint64_t i) { targets[i] = target_of(edges.ids[i]); });
}

/// The list that the edge lies in, among those from `low` to `high`.
__device__ __forceinline__ std::uint64_t list_of(const EdgeIndex* offsets, std::uint64_t low,
                                                 std::uint64_t high, std::uint64_t edge) {
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (offsets[middle] <= edge)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// A block finds the lists of its first and its last edge, and its threads search between them.
__global__ void __launch_bounds__(kBlock) spread_sources(const EdgeIndex* offsets, Vertex vertices,
                                                         std::uint64_t edges, Vertex* sources) {
  constexpr std::uint64_t kStretch = std::uint64_t{8} * kBlock;
  __shared__ std::uint64_t ends[2];
  for (std::uint64_t begin = blockIdx.x * kStretch; begin < edges; begin += gridDim.x * kStretch) {
    const std::uint64_t end = begin + kStretch < edges ? begin + kStretch : edges;
    __syncthreads();
    if (threadIdx.x < 2)
      ends[threadIdx.x] = list_of(offsets, 0, vertices - 1, threadIdx.x == 0 ? begin : end - 1);
    __syncthreads();
    for (std::uint64_t e = begin + threadIdx.x; e < end; e += kBlock)
      sources[e] = static_cast<Vertex>(list_of(offsets, ends[0], ends[1], e));
  }
}

__global__ void __launch_bounds__(kBlock)
    find_begins(const Vertex* sources, std::uint64_t edges, Vertex vertices, EdgeIndex* offsets) {
  for_each(std::uint64_t{vertices} + 1, [&](std::uint64_t v) {
    std::uint64_t low = 0;
    std::uint64_t high = edges;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (sources[middle] < v)
        low = middle + 1;
      else
        high = middle;
    }
    offsets[v] = low;
  });
}

__global__ void __launch_bounds__(kBlock)
    compare_words(const std::uint32_t* a, const std::uint32_t* b, std::uint64_t words,
                  unsigned long long* differences) {
  unsigned long long mine = 0;
  for_each(words, [&](std::uint64_t i) { mine += a[i] != b[i]; });
  add_up(mine, differences);
}

}  // namespace

void launch_mark(cudaStream_t stream, const Edges& edges, std::uint32_t* bits) {
  mark_ids<<<blocks_for(edges.count), kBlock, 0, stream>>>(edges, bits);
  check(cudaGetLastError(), "mark the ids of a text");
}

void launch_mark_targets(cudaStream_t stream, const Vertex* targets, std::uint64_t edges,
                         std::uint32_t* bits) {
  mark_targets<<<blocks_for(edges), kBlock, 0, stream>>>(targets, edges, bits);
  check(cudaGetLastError(), "mark the vertices that edges lead to");
}

void launch_count_bits(cudaStream_t stream, const std::uint32_t* bits, std::uint64_t words,
                       std::uint32_t* counts) {
  count_bits<<<blocks_for(words), kBlock, 0, stream>>>(bits, words, counts);
  check(cudaGetLastError(), "count the ids of a text");
}

void launch_rank(cudaStream_t stream, const Edges& edges, const std::uint32_t* bits,
                 const std::uint32_t* ranks) {
  rank_ids<<<blocks_for(edges.count), kBlock, 0, stream>>>(edges, bits, ranks);
  check(cudaGetLastError(), "number the ids of a text");
}

void launch_shift(cudaStream_t stream, const Edges& edges, std::uint32_t shift) {
  shift_ids<<<blocks_for(edges.count), kBlock, 0, stream>>>(edges, shift);
  check(cudaGetLastError(), "number the ids of a text");
}

void launch_count_descents(cudaStream_t stream, const Edges& edges, unsigned long long* descents) {
  count_descents<<<blocks_for(edges.count), kBlock, 0, stream>>>(edges, descents);
  check(cudaGetLastError(), "look at the order of edges");
}

void launch_look(cudaStream_t stream, const Edges& edges, Seen* seen) {
  look_at_edges<<<blocks_for(edges.count), kBlock, 0, stream>>>(edges, seen);
  check(cudaGetLastError(), "look at sorted edges");
}

void launch_offsets(cudaStream_t stream, const Edges& edges, Vertex vertices, EdgeIndex* offsets) {
  find_offsets<<<blocks_for(std::uint64_t{vertices} + 1), kBlock, 0, stream>>>(edges, vertices,
                                                                               offsets);
  check(cudaGetLastError(), "cut edges into lists");
}

void launch_targets(cudaStream_t stream, const Edges& edges, Vertex* targets) {
  cut_targets<<<blocks_for(edges.count), kBlock, 0, stream>>>(edges, targets);
  check(cudaGetLastError(), "cut edges into lists");
}

void launch_sources(cudaStream_t stream, const EdgeIndex* offsets, Vertex vertices,
                    std::uint64_t edges, Vertex* sources) {
  spread_sources<<<blocks_for(edges / 8), kBlock, 0, stream>>>(offsets, vertices, edges, sources);
  check(cudaGetLastError(), "turn edges round");
}

void launch_begins(cudaStream_t stream, const Vertex* sources, std::uint64_t edges, Vertex vertices,
                   EdgeIndex* offsets) {
  find_begins<<<blocks_for(std::uint64_t{vertices} + 1), kBlock, 0, stream>>>(sources, edges,
                                                                              vertices, offsets);
  check(cudaGetLastError(), "cut edges into lists");
}

void launch_compare(cudaStream_t stream, const std::uint32_t* a, const std::uint32_t* b,
                    std::uint64_t words, unsigned long long* differences) {
  compare_words<<<blocks_for(words), kBlock, 0, stream>>>(a, b, words, differences);
  check(cudaGetLastError(), "compare edges with their reverse");
}

}  // namespace vertigo::gpu::text
