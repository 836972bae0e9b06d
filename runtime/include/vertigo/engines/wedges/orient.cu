#include <algorithm>

#include "device/check.h"
#include "device/prepare/sorting.h"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/worklist.cuh"
#include "vertigo/engines/wedges/orient.cuh"

namespace vertigo::gpu::wedges {

namespace {

constexpr const char* kPurpose = "put edges at their ends of fewer edges";

/// A warp for each vertex.
unsigned warps_for(Vertex vertices) {
  return static_cast<unsigned>(std::clamp<std::uint64_t>(
      (std::uint64_t{vertices} * kWarp + kBlock - 1) / kBlock, 1, 1u << 16));
}
unsigned threads_for(std::uint64_t count) {
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>((count + kBlock - 1) / kBlock, 1, 1u << 16));
}

__device__ __forceinline__ std::uint64_t first_thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::uint64_t all_threads() {
  return std::uint64_t{gridDim.x} * blockDim.x;
}

__global__ void __launch_bounds__(kBlock) number_vertices(const Oriented lists) {
  for (std::uint64_t i = first_thread(); i < lists.vertex_count; i += all_threads())
    lists.numbers[lists.order[i]] = static_cast<Vertex>(i);
}

/// Calls `visit(number, lane has one, neighbour's number)` for all lanes of a warp together, for
/// each vertex and 32 of its edges at a time.
template <class Begin, class Visit, class End>
__device__ __forceinline__ void for_each_list(const Oriented& lists, const EdgeIndex* offsets,
                                              const Vertex* targets, const Begin& begin,
                                              const Visit& visit, const End& end) {
  for (std::uint64_t i = first_thread() / kWarp; i < lists.vertex_count;
       i += all_threads() / kWarp) {
    const auto number = static_cast<Vertex>(i);
    const Vertex v = lists.order[i];
    const EdgeIndex last = offsets[v + 1];
    begin(number);
    for (EdgeIndex base = offsets[v]; base < last; base += kWarp) {
      const bool inside = base + lane() < last;
      visit(number, inside, inside ? lists.numbers[targets[base + lane()]] : kNoVertex);
    }
    end(number);
  }
}

__global__ void __launch_bounds__(kBlock)
    measure(const Oriented lists, const EdgeIndex* offsets, const Vertex* targets) {
  std::uint32_t length = 0;
  for_each_list(
      lists, offsets, targets, [&](Vertex) { length = 0; },
      [&](Vertex number, bool inside, Vertex w) {
        length += __popc(__ballot_sync(kAllLanes, inside && w < number));
        if (inside && w == number) *lists.has_loops.word = 1;
      },
      [&](Vertex number) {
        if (lane() != 0) return;
        lists.lengths[number] = length;
        if (length >= kBlockFrom)
          append(lists.longs, number);
        else if (length >= 2)
          append(lists.shorts, number);
      });
}

__global__ void __launch_bounds__(kBlock)
    fill(const Oriented lists, const EdgeIndex* offsets, const Vertex* targets) {
  EdgeIndex next = 0;
  for_each_list(
      lists, offsets, targets, [&](Vertex number) { next = lists.offsets[number]; },
      [&](Vertex number, bool inside, Vertex w) {
        const unsigned taken = __ballot_sync(kAllLanes, inside && w < number);
        if (inside && w < number) lists.targets[next + __popc(taken & lanes_below())] = w;
        next += __popc(taken);
      },
      [](Vertex) {});
}

}  // namespace

void declare_oriented(Session& session, Oriented& lists) {
  const Vertex vertices = session.vertex_count();
  const std::uint64_t edges = session.edge_count() / 2;
  lists.vertex_count = vertices;
  session.declare(lists.order, "wedges (vertices by degree)");
  session.declare(lists.numbers, "wedges (numbers of vertices)");
  session.declare(lists.lengths, std::uint64_t{vertices} + 1, "wedges (lengths of lists)");
  session.declare(lists.offsets, std::uint64_t{vertices} + 1, "wedges (offsets)");
  session.declare(lists.targets, edges, "wedges (edges at one end)");
  session.declare(lists.longs, "wedges (long lists)");
  session.declare(lists.shorts, "wedges (short lists)");
  session.declare(lists.has_loops, "wedges (self loops)");
  session.reserve(kPurpose,
                  std::max(prepare::order_memory(vertices),
                           prepare::array_bytes<Vertex>(edges) +
                               prepare::sum_memory<std::uint32_t, EdgeIndex>(vertices + 1ull) +
                               prepare::segments_memory<EdgeIndex>(edges, vertices)));
}

void orient(Session& session, const EdgeIndex* offsets, const Vertex* targets,
            const Oriented& lists) {
  const Vertex vertices = lists.vertex_count;
  if (vertices == 0) return;
  const Stream stream = session.stream();
  prepare::approximate_order(stream, {offsets, nullptr}, vertices, lists.order);
  session.clear(lists.longs);
  session.clear(lists.shorts);
  session.clear(lists.has_loops);
  session.clear(lists.lengths, std::uint64_t{vertices} + 1);
  number_vertices<<<threads_for(vertices), kBlock, 0, stream>>>(lists);
  session.launched("number_vertices");
  measure<<<warps_for(vertices), kBlock, 0, stream>>>(lists, offsets, targets);
  session.launched("measure");
  prepare::WorkingMemory memory(stream);
  prepare::exclusive_sum(memory, lists.lengths, lists.offsets, std::uint64_t{vertices} + 1);
  fill<<<warps_for(vertices), kBlock, 0, stream>>>(lists, offsets, targets);
  session.launched("fill");
  EdgeIndex edges = 0;
  check(cudaMemcpyAsync(&edges, lists.offsets + vertices, sizeof edges, cudaMemcpyDeviceToHost,
                        stream),
        kPurpose);
  memory.finish(kPurpose);
  if (edges == 0) return;
  auto* const spare = memory.take<Vertex>(edges, kPurpose);
  prepare::sort_segments(memory, lists.targets, spare, edges, vertices, lists.offsets);
  memory.finish(kPurpose);
}

}  // namespace vertigo::gpu::wedges
