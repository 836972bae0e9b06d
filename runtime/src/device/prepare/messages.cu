// Where the messages of edges wait for their receivers (vertigo/device/message_slots.cuh).

#include <algorithm>
#include <bit>
#include <limits>

#include "sorting.h"
#include "vertigo/core/error.h"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::prepare {

namespace {

constexpr const char* kPlace = "give every message a slot";

unsigned blocks_for(std::uint64_t count) {
  return static_cast<unsigned>((count + kBlock - 1) / kBlock);
}

__global__ void __launch_bounds__(kBlock)
    count_messages(const Vertex* targets, EdgeIndex edge_count, unsigned long long* counts) {
  const std::uint64_t e = gpu::detail::block_start() + threadIdx.x;
  if (e < edge_count) atomicAdd(counts + targets[e], 1ull);
}

__device__ __forceinline__ EdgeIndex messages_along(const EdgeIndex* offsets, Vertex v) {
  return offsets == nullptr ? 0 : offsets[v + 1] - offsets[v];
}

/// Slots of each group of receivers, and none for the end.
__global__ void __launch_bounds__(kBlock)
    size_groups(const Vertex* receivers, Vertex count, const Degrees messages,
                std::uint64_t* sizes) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  EdgeIndex most = 0;
  if (i < count)
    most = messages_along(messages.offsets, receivers[i]) +
           messages_along(messages.more_offsets, receivers[i]);
  most = gpu::detail::combine_warp(most, Max{});
  const std::uint64_t groups = (std::uint64_t{count} + kWarp - 1) / kWarp;
  if (lane() == 0 && i / kWarp <= groups) sizes[i / kWarp] = kWarp * most;
}

__global__ void __launch_bounds__(kBlock)
    place_receivers(const Vertex* receivers, Vertex count, const Degrees messages,
                    const std::uint64_t* begins, EdgeIndex* first_slot, EdgeIndex* message_count) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i >= count) return;
  const Vertex u = receivers[i];
  first_slot[u] = begins[i / kWarp] + lane();
  message_count[u] = messages_along(messages.offsets, u) + messages_along(messages.more_offsets, u);
}

template <class Edge>
__global__ void __launch_bounds__(kBlock)
    list_edges(const Vertex* targets, EdgeIndex edge_count, Vertex* keys, Edge* edges) {
  const std::uint64_t e = gpu::detail::block_start() + threadIdx.x;
  if (e >= edge_count) return;
  keys[e] = targets[e];
  edges[e] = static_cast<Edge>(e);
}

/// Edges stand by receiver and keep their order: the i-th of a receiver has its i-th message, after
/// those of an earlier pass.
template <class Edge>
__global__ void __launch_bounds__(kBlock)
    place_edges(const Vertex* keys, const Edge* edges, EdgeIndex edge_count,
                const EdgeIndex* offsets, const EdgeIndex* earlier, const EdgeIndex* first_slot,
                EdgeIndex* slots) {
  const std::uint64_t i = gpu::detail::block_start() + threadIdx.x;
  if (i >= edge_count) return;
  const Vertex u = keys[i];
  slots[edges[i]] = first_slot[u] + kWarp * (i - offsets[u] + messages_along(earlier, u));
}

EdgeIndex* offsets_of(WorkingMemory& memory, const Vertex* targets, const Senders& senders) {
  const std::uint64_t count = senders.vertex_count + std::uint64_t{1};
  auto* const counts = memory.take<unsigned long long>(count, kPlace);
  auto* const offsets = memory.take<EdgeIndex>(count, kPlace);
  check(cudaMemsetAsync(counts, 0, count * sizeof *counts, memory.stream()), kPlace);
  if (senders.edge_count != 0)
    count_messages<<<blocks_for(senders.edge_count), kBlock, 0, memory.stream()>>>(
        targets, senders.edge_count, counts);
  exclusive_sum(memory, reinterpret_cast<const std::uint64_t*>(counts), offsets, count);
  return offsets;
}

unsigned receiver_bits(Vertex count) { return static_cast<unsigned>(std::bit_width(count - 1)); }

template <class Edge>
void place_pass(Stream stream, const Vertex* targets, const Senders& senders,
                const EdgeIndex* offsets, const EdgeIndex* earlier, const EdgeIndex* first_slot,
                EdgeIndex* slots) {
  const EdgeIndex count = senders.edge_count;
  if (count == 0) return;
  WorkingMemory memory(stream);
  auto keys = take_two<Vertex>(memory, count, kPlace);
  auto edges = take_two<Edge>(memory, count, kPlace);
  list_edges<<<blocks_for(count), kBlock, 0, stream>>>(targets, count, keys.now, edges.now);
  sort_pairs(memory, keys, edges, count, 0, receiver_bits(senders.vertex_count));
  place_edges<<<blocks_for(count), kBlock, 0, stream>>>(keys.now, edges.now, count, offsets,
                                                        earlier, first_slot, slots);
  check(cudaGetLastError(), kPlace);
  memory.finish(kPlace);
}

template <class Edge>
std::uint64_t pass_memory(Vertex vertex_count, EdgeIndex count) {
  if (count == 0) return 0;
  return 2 * array_bytes<Vertex>(count) + 2 * array_bytes<Edge>(count) +
         sort_memory<Vertex, Edge>(count, receiver_bits(vertex_count));
}

bool counts_in_32_bits(EdgeIndex edges) {
  return edges <= std::numeric_limits<std::uint32_t>::max();
}

std::uint64_t groups_of(Vertex count) { return (std::uint64_t{count} + kWarp - 1) / kWarp; }

}  // namespace

std::uint64_t placing_memory(Vertex vertex_count, EdgeIndex edge_count, unsigned passes) {
  if (vertex_count == 0) return 0;
  const std::uint64_t ends = vertex_count + std::uint64_t{1};
  const std::uint64_t offsets = array_bytes<unsigned long long>(ends) +
                                array_bytes<EdgeIndex>(ends) +
                                sum_memory<std::uint64_t, std::uint64_t>(ends);
  const std::uint64_t groups = groups_of(vertex_count) + 1;
  const std::uint64_t pass = counts_in_32_bits(edge_count)
                                 ? pass_memory<std::uint32_t>(vertex_count, edge_count)
                                 : pass_memory<std::uint64_t>(vertex_count, edge_count);
  // The order is given back before the groups are sized, and each pass before the next one.
  return passes * offsets + std::max(order_memory(vertex_count),
                                     2 * array_bytes<std::uint64_t>(groups) +
                                         sum_memory<std::uint64_t, std::uint64_t>(groups) + pass);
}

void place_messages(Stream stream, const Senders& senders, const Places& places,
                    std::uint64_t room) {
  if (senders.vertex_count == 0) return;
  WorkingMemory memory(stream);
  const EdgeIndex* const first = offsets_of(memory, senders.targets, senders);
  const EdgeIndex* const second =
      senders.more_targets == nullptr ? nullptr : offsets_of(memory, senders.more_targets, senders);
  const Degrees messages{first, second};
  approximate_order(stream, messages, senders.vertex_count, places.receivers);

  const std::uint64_t groups = groups_of(senders.vertex_count);
  auto* const sizes = memory.take<std::uint64_t>(groups + 1, kPlace);
  auto* const begins = memory.take<std::uint64_t>(groups + 1, kPlace);
  size_groups<<<blocks_for((groups + 1) * kWarp), kBlock, 0, stream>>>(
      places.receivers, senders.vertex_count, messages, sizes);
  exclusive_sum(memory, sizes, begins, groups + 1);
  std::uint64_t needed = 0;
  check(cudaMemcpyAsync(&needed, begins + groups, sizeof needed, cudaMemcpyDeviceToHost, stream),
        kPlace);
  memory.finish(kPlace);
  if (needed > room)
    throw Error(ExitCode::Other, "messages need " + std::to_string(needed) +
                                     " slots, more than the host found: " + std::to_string(room));
  place_receivers<<<blocks_for(senders.vertex_count), kBlock, 0, stream>>>(
      places.receivers, senders.vertex_count, messages, begins, places.first_slot,
      places.message_count);
  check(cudaGetLastError(), kPlace);
  const auto pass = [&](const Vertex* targets, const EdgeIndex* offsets, const EdgeIndex* earlier,
                        EdgeIndex* slots) {
    if (counts_in_32_bits(senders.edge_count))
      place_pass<std::uint32_t>(stream, targets, senders, offsets, earlier, places.first_slot,
                                slots);
    else
      place_pass<std::uint64_t>(stream, targets, senders, offsets, earlier, places.first_slot,
                                slots);
  };
  pass(senders.targets, first, nullptr, places.of_edge);
  if (second != nullptr) pass(senders.more_targets, second, first, places.of_more);
  memory.finish(kPlace);
}

}  // namespace vertigo::gpu::prepare
