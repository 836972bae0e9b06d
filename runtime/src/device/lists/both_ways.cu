#include "../check.h"
#include "both_ways.h"
#include "each.cuh"
#include "weights.h"

namespace vertigo::gpu::lists {

namespace {

constexpr const char* kJoin = "add reverse edges";

__global__ void __launch_bounds__(kBlock) turn_edges(const Vertex* sources, const Vertex* targets,
                                                     std::uint64_t count, std::uint64_t* keys) {
  for_each(count, [&](std::uint64_t i) {
    keys[i] = std::uint64_t{sources[i]} << 32 | targets[i];
    keys[count + i] = std::uint64_t{targets[i]} << 32 | sources[i];
  });
}

template <class W>
__device__ __forceinline__ bool has_parallel_before(const SortedBothWays<W>& sorted,
                                                    std::uint64_t i) {
  return i > 0 && sorted.keys[i - 1] == sorted.keys[i];
}

template <class W>
__global__ void __launch_bounds__(kBlock)
    keep_distinct(const SortedBothWays<W> sorted, std::uint32_t* kept) {
  for_each(sorted.count + 1, [&](std::uint64_t i) {
    bool is_other = i < sorted.count;
    if (is_other && has_parallel_before(sorted, i)) {
      is_other = false;
      if constexpr (kIsWeight<W>) is_other = sorted.weights[i] != sorted.weights[i - 1];
    }
    kept[i] = is_other ? 1 : 0;
  });
}

template <class W>
__global__ void __launch_bounds__(kBlock)
    write_kept(const SortedBothWays<W> sorted, const std::uint64_t* places, std::uint64_t* keys,
               W* weights) {
  for_each(sorted.count, [&](std::uint64_t i) {
    const std::uint64_t place = places[i];
    if (places[i + 1] == place) return;
    keys[place] = sorted.keys[i];
    if constexpr (kIsWeight<W>) {
      const W own = sorted.weights[i];
      const auto parallel = [&](std::uint64_t j) { return sorted.weights[j]; };
      if (has_parallel_before(sorted, i))
        weights[place] = own < parallel(i - 1) ? parallel(i - 1) : own;
      else if (i + 1 < sorted.count && has_parallel_before(sorted, i + 1))
        weights[place] = parallel(i + 1) < own ? parallel(i + 1) : own;
      else
        weights[place] = own;
    }
  });
}

}  // namespace

void launch_both_ways(cudaStream_t stream, const Vertex* sources, const Vertex* targets,
                      std::uint64_t count, std::uint64_t* keys) {
  turn_edges<<<blocks_for(count), kBlock, 0, stream>>>(sources, targets, count, keys);
  check(cudaGetLastError(), kJoin);
}

template <class W>
void launch_keep(cudaStream_t stream, const SortedBothWays<W>& sorted, std::uint32_t* kept) {
  keep_distinct<<<blocks_for(sorted.count + 1), kBlock, 0, stream>>>(sorted, kept);
  check(cudaGetLastError(), kJoin);
}

template <class W>
void launch_write_kept(cudaStream_t stream, const SortedBothWays<W>& sorted,
                       const std::uint64_t* places, std::uint64_t* keys, W* weights) {
  write_kept<<<blocks_for(sorted.count), kBlock, 0, stream>>>(sorted, places, keys, weights);
  check(cudaGetLastError(), kJoin);
}

#define VERTIGO_JOIN(W)                                                                         \
  template void launch_keep(cudaStream_t, const SortedBothWays<W>&, std::uint32_t*);            \
  template void launch_write_kept(cudaStream_t, const SortedBothWays<W>&, const std::uint64_t*, \
                                  std::uint64_t*, W*);
VERTIGO_JOIN(NoWeight)
VERTIGO_WEIGHT_TYPES(VERTIGO_JOIN)
#undef VERTIGO_JOIN

}  // namespace vertigo::gpu::lists
