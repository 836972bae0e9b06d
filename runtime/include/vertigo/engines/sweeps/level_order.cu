#include <algorithm>

#include "vertigo/device/block_sums.cuh"
#include "vertigo/engines/sweeps/level_order.cuh"

namespace vertigo::gpu {

namespace {

using gpu::detail::kScanThreads;

__device__ __forceinline__ std::uint32_t up_to_warp(std::uint32_t vertices) {
  return (vertices + kWarp - 1) / kWarp * kWarp;
}

/// By one block: where each turn begins, from the numbers of vertices in `ends`, which become the
/// places of their first ones.
__global__ void __launch_bounds__(kScanThreads)
    place_turns(const LevelOrder order, std::uint32_t count) {
  const std::uint32_t all = gpu::detail::sum_before_each(
      count, [&](std::uint64_t turn) { return up_to_warp(order.ends[turn]); },
      [&](std::uint64_t turn, std::uint32_t before, std::uint32_t) {
        order.begins[turn] = order.ends[turn] = before;
      });
  if (threadIdx.x == 0) order.begins[count] = all;
}

__global__ void __launch_bounds__(kBlock)
    place_vertices(const LevelOrder order, std::uint32_t count, Vertex vertices) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t v = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < vertices;
       v += stride) {
    const std::uint32_t turn = order.turns[v] - 1;
    if (turn < count) order.vertices[atomicAdd(&order.ends[turn], 1u)] = static_cast<Vertex>(v);
  }
}

__global__ void __launch_bounds__(kBlock) fill_gaps(const LevelOrder order, std::uint32_t count) {
  const std::uint32_t stride = gridDim.x * blockDim.x;
  for (std::uint32_t turn = blockIdx.x * blockDim.x + threadIdx.x; turn < count; turn += stride)
    for (std::uint32_t place = order.ends[turn]; place < order.begins[turn + 1]; ++place)
      order.vertices[place] = kNoVertex;
}

}  // namespace

void declare_level_order(Session& session, LevelOrder& order, std::uint32_t most_turns) {
  const std::uint64_t vertices = session.vertex_count();
  const std::uint64_t gaps = std::min<std::uint64_t>(vertices, most_turns) * (kWarp - 1);
  session.declare(order.turns, vertices, "turns of vertices");
  session.declare(order.vertices, vertices + gaps, "vertices by turn");
  session.declare(order.begins, std::uint64_t{most_turns} + 1, "begins of turns");
  session.declare(order.ends, most_turns, "ends of turns");
}

void sort_by_turn(Session& session, const LevelOrder& order, std::uint32_t count) {
  place_turns<<<1, kScanThreads, 0, session.stream()>>>(order, count);
  session.launched("place_turns");
  place_vertices<<<session.blocks(), kBlock, 0, session.stream()>>>(order, count,
                                                                    session.vertex_count());
  session.launched("place_vertices");
  fill_gaps<<<(count + kBlock - 1) / kBlock, kBlock, 0, session.stream()>>>(order, count);
  session.launched("fill_gaps");
}

}  // namespace vertigo::gpu
