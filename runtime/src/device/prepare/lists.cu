// Copies of a graph's lists in another order.

#include <bit>

#include "edge_rows.cuh"
#include "radix_sort.h"
#include "vertigo/device/prepare.cuh"

namespace vertigo::gpu::prepare {

namespace {

constexpr const char* kRelabel = "give the vertices new numbers";
constexpr const char* kSort = "sort lists by weight";

unsigned bits_for(std::uint64_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

// ---- New numbers

__global__ void __launch_bounds__(kBlock)
    new_lengths(const EdgeIndex* offsets, Vertex count, const Vertex* old_of_new,
                std::uint64_t* lengths) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i > count) return;
  const Vertex v = i < count ? old_of_new[i] : 0;
  lengths[i] = i < count ? offsets[v + 1] - offsets[v] : 0;
}

/// Keys that sort edges by list, then by target, both in new numbers.
__global__ void __launch_bounds__(kBlock)
    new_edges(const Lists lists, const Vertex* new_of_old, unsigned bits, std::uint64_t* keys) {
  for_each_edge(lists.offsets, lists.vertex_count, lists.edge_count, [&](EdgeIndex e, Vertex v) {
    keys[e] = std::uint64_t{new_of_old[v]} << bits | new_of_old[lists.targets[e]];
  });
}

__global__ void __launch_bounds__(kBlock)
    take_targets(const std::uint64_t* keys, EdgeIndex count, std::uint64_t mask, Vertex* targets) {
  const std::uint64_t e = gpu::detail::block_start() + threadIdx.x;
  if (e < count) targets[e] = static_cast<Vertex>(keys[e] & mask);
}

// ---- Order by weight

/// An unsigned word in the order of the weights.
__device__ __forceinline__ std::uint64_t ordered(std::uint64_t bits, unsigned size,
                                                 WeightOrder order) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const std::uint64_t all = sign | (sign - 1);
  if (order == WeightOrder::Unsigned) return bits;
  if (order == WeightOrder::Signed) return bits ^ sign;
  return bits & sign ? ~bits & all : bits | sign;
}

__device__ __forceinline__ std::uint64_t weight_at(const Lists& lists, EdgeIndex e) {
  return lists.attribute_size == 4 ? static_cast<const std::uint32_t*>(lists.attributes)[e]
                                   : static_cast<const std::uint64_t*>(lists.attributes)[e];
}

/// Smallest and largest word: how many bits are to be sorted.
__global__ void __launch_bounds__(kBlock)
    measure_weights(const Lists lists, WeightOrder order, unsigned long long* range) {
  unsigned long long least = ~0ull;
  unsigned long long most = 0;
  for (std::uint64_t e = gpu::detail::block_start() + threadIdx.x; e < lists.edge_count;
       e += gpu::detail::grid_stride()) {
    const std::uint64_t word = ordered(weight_at(lists, e), lists.attribute_size, order);
    least = word < least ? word : least;
    most = word > most ? word : most;
  }
  if (least > most) return;
  if (least < load_relaxed(*reinterpret_cast<std::uint64_t*>(range))) atomicMin(range, least);
  if (most > load_relaxed(*reinterpret_cast<std::uint64_t*>(range + 1))) atomicMax(range + 1, most);
}

/// Keys that sort edges by list, then by weight.
__global__ void __launch_bounds__(kBlock)
    weight_keys(const Lists lists, WeightOrder order, std::uint64_t least, unsigned bits,
                std::uint64_t* keys, std::uint64_t* edges) {
  for_each_edge(lists.offsets, lists.vertex_count, lists.edge_count, [&](EdgeIndex e, Vertex v) {
    const std::uint64_t word = ordered(weight_at(lists, e), lists.attribute_size, order) - least;
    keys[e] = (bits < 64 ? std::uint64_t{v} << bits : 0) | word;
    edges[e] = e;
  });
}

/// Where weights fill the key, lists have keys of their own: edges are sorted by weight, then by
/// list.
__global__ void __launch_bounds__(kBlock)
    list_keys(const Lists lists, const std::uint64_t* edges, std::uint64_t* keys) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i < lists.edge_count) keys[i] = list_of(lists.offsets, 0, lists.vertex_count - 1, edges[i]);
}

__global__ void __launch_bounds__(kBlock)
    take_edges(const Lists lists, const std::uint64_t* edges, const NewLists result) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i >= lists.edge_count) return;
  const EdgeIndex e = edges[i];
  result.targets[i] = lists.targets[e];
  if (lists.attribute_size == 4)
    static_cast<std::uint32_t*>(result.attributes)[i] =
        static_cast<const std::uint32_t*>(lists.attributes)[e];
  else
    static_cast<std::uint64_t*>(result.attributes)[i] =
        static_cast<const std::uint64_t*>(lists.attributes)[e];
}

void copy_bytes(Stream stream, void* to, const void* from, std::uint64_t bytes, const char* why) {
  if (to == nullptr || bytes == 0) return;
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), why);
}

template <class Word>
void sort_with_attributes(WorkingMemory& memory, const Lists& lists, void* result,
                          TwoArrays<std::uint64_t>& keys, unsigned bits) {
  TwoArrays<Word> attributes{memory.take<Word>(lists.edge_count, kRelabel),
                             memory.take<Word>(lists.edge_count, kRelabel)};
  const std::uint64_t bytes = lists.edge_count * sizeof(Word);
  copy_bytes(memory.stream(), attributes.now, lists.attributes, bytes, kRelabel);
  sort_pairs(memory, keys, attributes, lists.edge_count, 0, 2 * bits);
  copy_bytes(memory.stream(), result, attributes.now, bytes, kRelabel);
}

}  // namespace

void relabel(Stream stream, const Lists& lists, const Vertex* old_of_new, const Vertex* new_of_old,
             const NewLists& result) {
  WorkingMemory memory(stream);
  auto* const lengths = memory.take<std::uint64_t>(lists.vertex_count + std::uint64_t{1}, kRelabel);
  new_lengths<<<vertex_blocks(lists.vertex_count + std::uint64_t{1}), kBlock, 0, stream>>>(
      lists.offsets, lists.vertex_count, old_of_new, lengths);
  exclusive_sum(memory, lengths, result.offsets, lists.vertex_count + std::uint64_t{1});
  if (lists.edge_count != 0) {
    const unsigned bits = bits_for(lists.vertex_count - 1);
    TwoArrays<std::uint64_t> keys{memory.take<std::uint64_t>(lists.edge_count, kRelabel),
                                  memory.take<std::uint64_t>(lists.edge_count, kRelabel)};
    new_edges<<<edge_blocks(lists.edge_count), kBlock, 0, stream>>>(lists, new_of_old, bits,
                                                                    keys.now);
    if (lists.attribute_size == 4)
      sort_with_attributes<std::uint32_t>(memory, lists, result.attributes, keys, bits);
    else if (lists.attribute_size == 8)
      sort_with_attributes<std::uint64_t>(memory, lists, result.attributes, keys, bits);
    else
      sort_keys(memory, keys, lists.edge_count, 0, 2 * bits);
    take_targets<<<vertex_blocks(lists.edge_count), kBlock, 0, stream>>>(
        keys.now, lists.edge_count, (std::uint64_t{1} << bits) - 1, result.targets);
  }
  check(cudaGetLastError(), kRelabel);
  memory.finish(kRelabel);
}

void sort_lists_by_weight(Stream stream, const Lists& lists, WeightOrder order,
                          const NewLists& result) {
  const std::uint64_t offset_bytes = (lists.vertex_count + std::uint64_t{1}) * sizeof(EdgeIndex);
  copy_bytes(stream, result.offsets, lists.offsets, offset_bytes, kSort);
  if (lists.edge_count == 0) return;
  if (lists.attribute_size == 0) {
    copy_bytes(stream, result.targets, lists.targets, lists.edge_count * sizeof(Vertex), kSort);
    return;
  }
  WorkingMemory memory(stream);
  auto* const range = memory.take<unsigned long long>(2, kSort);
  unsigned long long least_and_most[2] = {~0ull, 0};
  check(
      cudaMemcpyAsync(range, least_and_most, sizeof least_and_most, cudaMemcpyHostToDevice, stream),
      kSort);
  measure_weights<<<1024, kBlock, 0, stream>>>(lists, order, range);
  check(
      cudaMemcpyAsync(least_and_most, range, sizeof least_and_most, cudaMemcpyDeviceToHost, stream),
      kSort);
  memory.finish(kSort);
  const std::uint64_t least = least_and_most[0];
  const unsigned weight_bits = bits_for(least_and_most[1] - least);
  const unsigned list_bits = bits_for(lists.vertex_count - 1);
  const bool one_sort = weight_bits + list_bits <= 64;

  TwoArrays<std::uint64_t> keys{memory.take<std::uint64_t>(lists.edge_count, kSort),
                                memory.take<std::uint64_t>(lists.edge_count, kSort)};
  TwoArrays<std::uint64_t> edges{memory.take<std::uint64_t>(lists.edge_count, kSort),
                                 memory.take<std::uint64_t>(lists.edge_count, kSort)};
  weight_keys<<<edge_blocks(lists.edge_count), kBlock, 0, stream>>>(
      lists, order, least, one_sort ? weight_bits : 64, keys.now, edges.now);
  sort_pairs(memory, keys, edges, lists.edge_count, 0,
             one_sort ? weight_bits + list_bits : weight_bits);
  if (!one_sort) {
    list_keys<<<vertex_blocks(lists.edge_count), kBlock, 0, stream>>>(lists, edges.now, keys.now);
    sort_pairs(memory, keys, edges, lists.edge_count, 0, list_bits);
  }
  take_edges<<<vertex_blocks(lists.edge_count), kBlock, 0, stream>>>(lists, edges.now, result);
  check(cudaGetLastError(), kSort);
  memory.finish(kSort);
}

}  // namespace vertigo::gpu::prepare
