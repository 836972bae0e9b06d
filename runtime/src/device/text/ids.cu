#include "../check.h"
#include "../lists/each.cuh"
#include "../lists/edges.cuh"
#include "ids.h"

namespace vertigo::gpu::text {

using lists::blocks_for;
using lists::for_each;
using lists::source_of;
using lists::target_of;

namespace {

__global__ void __launch_bounds__(kBlock) mark_ids(const Edges edges, std::uint32_t* bits) {
  for_each(edges.count, [&](std::uint64_t i) {
    lists::mark(bits, source_of(edges.ids[i]));
    lists::mark(bits, target_of(edges.ids[i]));
  });
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
  lists::add_up(mine, descents);
}

}  // namespace

void launch_mark(cudaStream_t stream, const Edges& edges, std::uint32_t* bits) {
  mark_ids<<<blocks_for(edges.count), kBlock, 0, stream>>>(edges, bits);
  check(cudaGetLastError(), "mark the ids of a text");
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

}  // namespace vertigo::gpu::text
