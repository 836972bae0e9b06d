#include "../check.h"
#include "each.cuh"
#include "edges.cuh"
#include "rows.h"
#include "vertigo/core/random.h"

namespace vertigo::gpu::lists {

namespace {

__global__ void __launch_bounds__(kBlock)
    mark_targets(const Vertex* targets, std::uint64_t edges, std::uint32_t* bits) {
  for_each(edges, [&](std::uint64_t i) { mark(bits, targets[i]); });
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
    pick_sources(const EdgeIndex* offsets, Vertex vertices, const EdgeIndex* edges,
                 std::uint64_t count, Vertex* sources) {
  for_each(count, [&](std::uint64_t i) {
    sources[i] = static_cast<Vertex>(list_of(offsets, 0, vertices - 1, edges[i]));
  });
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

__global__ void __launch_bounds__(kBlock)
    look_at_lists(const Vertex* sources, const Vertex* targets, std::uint64_t count,
                  ListsSeen* seen) {
  ListsSeen mine{0, 0, 0, 0};
  for_each(count, [&](std::uint64_t i) {
    const Vertex source = sources[i];
    const Vertex target = targets[i];
    mine.self_loops += source == target;
    mine.largest = target > mine.largest ? target : mine.largest;
    if (i == 0 || sources[i - 1] != source) return;
    mine.duplicates += targets[i - 1] == target;
    mine.descents += targets[i - 1] > target;
  });
  add_up(mine.self_loops, &seen->self_loops);
  add_up(mine.duplicates, &seen->duplicates);
  add_up(mine.descents, &seen->descents);
  mine.largest = gpu::detail::combine_warp(mine.largest, Max{});
  if (lane() == 0) atomicMax(&seen->largest, mine.largest);
}

template <class Bits>
__global__ void __launch_bounds__(kBlock)
    sum_edges(const Vertex* sources, const Vertex* targets, const Bits* weights,
              std::uint64_t count, std::uint64_t secret, unsigned long long* difference) {
  unsigned long long mine = 0;
  for_each(count, [&](std::uint64_t i) {
    const std::uint64_t source = sources[i];
    const std::uint64_t target = targets[i];
    if (source == target) return;
    const bool leads_up = source < target;
    std::uint64_t edge =
        scramble((leads_up ? source << 32 | target : target << 32 | source) ^ secret);
    if (weights != nullptr) edge = scramble(edge + weights[i]);
    mine += leads_up ? edge : std::uint64_t{0} - edge;
  });
  add_up(mine, difference);
}

__global__ void __launch_bounds__(kBlock)
    split_cells(const Cell* cells, std::uint64_t count, Vertex* targets, std::int32_t* weights) {
  for_each(count, [&](std::uint64_t i) {
    const Cell cell = cells[i];
    targets[i] = cell.target;
    if (weights != nullptr) weights[i] = cell.weight;
  });
}

template <class W>
__global__ void __launch_bounds__(kBlock)
    count_odd(const W* weights, std::uint64_t count, unsigned long long* odd) {
  unsigned long long mine = 0;
  // Infinity less itself is no number.
  for_each(count, [&](std::uint64_t i) { mine += !(weights[i] - weights[i] == W{0}); });
  add_up(mine, odd);
}

}  // namespace

void launch_mark_targets(cudaStream_t stream, const Vertex* targets, std::uint64_t edges,
                         std::uint32_t* bits) {
  mark_targets<<<blocks_for(edges), kBlock, 0, stream>>>(targets, edges, bits);
  check(cudaGetLastError(), "mark the vertices that edges lead to");
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

void launch_pick_sources(cudaStream_t stream, const EdgeIndex* offsets, Vertex vertices,
                         const EdgeIndex* edges, std::uint64_t count, Vertex* sources) {
  pick_sources<<<blocks_for(count), kBlock, 0, stream>>>(offsets, vertices, edges, count, sources);
  check(cudaGetLastError(), "look at some edges");
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

void launch_look_at_lists(cudaStream_t stream, const Vertex* sources, const Vertex* targets,
                          std::uint64_t count, ListsSeen* seen) {
  look_at_lists<<<blocks_for(count), kBlock, 0, stream>>>(sources, targets, count, seen);
  check(cudaGetLastError(), "look at lists");
}

template <class Bits>
void launch_sum_edges(cudaStream_t stream, const Vertex* sources, const Vertex* targets,
                      const Bits* weights, std::uint64_t count, std::uint64_t secret,
                      unsigned long long* difference) {
  sum_edges<<<blocks_for(count), kBlock, 0, stream>>>(sources, targets, weights, count, secret,
                                                      difference);
  check(cudaGetLastError(), "compare edges with their reverse");
}

void launch_split(cudaStream_t stream, const Cell* cells, std::uint64_t count, Vertex* targets,
                  std::int32_t* weights) {
  split_cells<<<blocks_for(count), kBlock, 0, stream>>>(cells, count, targets, weights);
  check(cudaGetLastError(), "take lists");
}

template <class W>
void launch_count_odd(cudaStream_t stream, const W* weights, std::uint64_t count,
                      unsigned long long* odd) {
  count_odd<<<blocks_for(count), kBlock, 0, stream>>>(weights, count, odd);
  check(cudaGetLastError(), "look at weights");
}

template void launch_sum_edges(cudaStream_t, const Vertex*, const Vertex*, const std::uint32_t*,
                               std::uint64_t, std::uint64_t, unsigned long long*);
template void launch_sum_edges(cudaStream_t, const Vertex*, const Vertex*, const std::uint64_t*,
                               std::uint64_t, std::uint64_t, unsigned long long*);
template void launch_count_odd(cudaStream_t, const float*, std::uint64_t, unsigned long long*);
template void launch_count_odd(cudaStream_t, const double*, std::uint64_t, unsigned long long*);

}  // namespace vertigo::gpu::lists
