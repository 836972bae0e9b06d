#include <algorithm>

#include "vertigo/device/intrinsics.cuh"
#include "vertigo/engines/sweeps/level_order.cuh"

namespace vertigo::gpu {

namespace {

constexpr unsigned kScanThreads = 1024;

__device__ __forceinline__ std::uint32_t up_to_warp(std::uint32_t vertices) {
  return (vertices + kWarp - 1) / kWarp * kWarp;
}

__device__ __forceinline__ std::uint32_t sum_up_to_lane(std::uint32_t value) {
#pragma unroll
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const std::uint32_t below = __shfl_up_sync(kAllLanes, value, distance);
    if (lane() >= distance) value += below;
  }
  return value;
}

/// By one block: where each turn begins, from the numbers of vertices in `ends`, which become the
/// places of their first ones.
__global__ void __launch_bounds__(kScanThreads)
    place_turns(const LevelOrder order, std::uint32_t count) {
  __shared__ std::uint32_t warp_sums[kWarp];
  const unsigned warp = threadIdx.x / kWarp;
  std::uint32_t before = 0;
  for (std::uint32_t base = 0; base < count; base += blockDim.x) {
    const std::uint32_t turn = base + threadIdx.x;
    const std::uint32_t size = turn < count ? up_to_warp(order.ends[turn]) : 0;
    const std::uint32_t sum = sum_up_to_lane(size);
    if (lane() == kWarp - 1) warp_sums[warp] = sum;
    __syncthreads();
    const std::uint32_t sums = sum_up_to_lane(warp_sums[lane()]);
    const std::uint32_t others = __shfl_sync(kAllLanes, sums, warp == 0 ? 0 : warp - 1);
    const std::uint32_t begin = before + (warp == 0 ? 0 : others) + sum - size;
    if (turn < count) order.begins[turn] = order.ends[turn] = begin;
    before += __shfl_sync(kAllLanes, sums, kWarp - 1);
    __syncthreads();
  }
  if (threadIdx.x == 0) order.begins[count] = before;
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
