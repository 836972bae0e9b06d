// Colour classes: who goes before whom, the launch that takes colours (colourer.cuh), and vertices
// in the order of what they got.

#include <algorithm>
#include <bit>

#include "class_lists.cuh"
#include "colourer.cuh"
#include "colouring.h"
#include "vertigo/device/cooperative.cuh"

namespace vertigo::gpu::prepare {

namespace {

using namespace colouring;

__global__ void __launch_bounds__(kBlock) measure(const Work work) {
  for (const Vertex v : gpu::detail::AllVertices{0, work.graph.vertex_count}) {
    const EdgeIndex all = degree_of(work.graph, v);
    const std::uint32_t degree = all < ~0u ? static_cast<std::uint32_t>(all) : ~0u;
    work.degrees[v] = degree;
    work.ranges[v] = {0, ~0u};
    if (degree < kFewEdges) continue;
    work.free[v] = kAllLanes;
    work.waits[v] = 0;
    const std::uint32_t at = claim(work.many_count);
    work.with_many[at] = v;
    work.watched_by_many[at] = kNobody;
    if (degree >= kManyEdges) work.with_most[atomicAdd(work.most_count, 1u)] = v;
  }
}

/// Lists who goes before v. Called by whole warps; those of one vertex share the work.
__device__ __forceinline__ void list_before(const Work& work, Vertex v, unsigned warp,
                                            unsigned warps) {
  const Edges edges(work.graph, v);
  const std::uint32_t degree = work.degrees[v];
  for (std::uint64_t first = std::uint64_t{warp} * kWarp; first < degree;
       first += std::uint64_t{warps} * kWarp) {
    const std::uint64_t i = first + lane();
    const Vertex u = i < degree ? edges[i] : v;
    const bool matters = goes_before(work, u, v);
    const unsigned all = __ballot_sync(kAllLanes, matters);
    std::uint32_t at = 0;
    if (lane() == 0 && all != 0) at = atomicAdd(&work.waits[v], __popc(all));
    at = shuffle(at, 0) + __popc(all & lanes_below());
    if (matters) work.before[edges.begin + at] = u;
  }
}

__global__ void __launch_bounds__(kBlock) list_before_many(const Work work) {
  const std::uint64_t warps = gpu::detail::grid_stride() / kWarp;
  for (std::uint64_t i = thread() / kWarp; i < *work.many_count; i += warps) {
    const Vertex v = work.with_many[i];
    if (work.degrees[v] < kManyEdges) list_before(work, v, 0, 1);
  }
}
__global__ void __launch_bounds__(kBlock) list_before_most(const Work work) {
  for (std::uint64_t i = blockIdx.x; i < *work.most_count; i += gridDim.x)
    list_before(work, work.with_most[i], threadIdx.x / kWarp, kBlock / kWarp);
}

__global__ void __launch_bounds__(kThreads) take_colours(const Work work) { Colourer(work).run(); }

__global__ void __launch_bounds__(kBlock)
    list_colours(const Range* ranges, Vertex count, std::uint32_t* colours, Vertex* vertices,
                 std::uint32_t* highest) {
  std::uint32_t mine = 0;
  for (const Vertex v : gpu::detail::AllVertices{0, count}) {
    colours[v] = ranges[v].first;
    vertices[v] = v;
    mine = colours[v] > mine ? colours[v] : mine;
  }
  mine = __reduce_max_sync(kAllLanes, mine);
  if (lane() == 0 && mine != 0) atomicMax(highest, mine);
}

/// Vertices with at least as many edges, at most.
std::uint64_t most_with(std::uint32_t edges, Vertex vertices, EdgeIndex all) {
  return std::min<std::uint64_t>(vertices, all / edges) + kWarp;
}

struct Size {
  Vertex vertices;
  EdgeIndex listed;  ///< edges in all lists
  unsigned blocks;   ///< of the launch that takes the colours
};

/// Places the arrays of `work`, and those of counts; returns their end.
std::uint64_t place_all(Work& work, std::uint32_t*& highest, const Size& size, std::byte* begin) {
  Room room(begin);
  const std::uint64_t threads = std::uint64_t{size.blocks} * kThreads;
  const std::uint64_t vertices = size.vertices;
  const std::uint64_t many = most_with(kFewEdges, size.vertices, size.listed);
  room.place(work.degrees, vertices);
  room.place(work.ranges, vertices);
  room.place(work.free, vertices);
  room.place(work.waits, vertices);
  room.place(work.with_few, vertices + threads);
  room.place(work.watched_by_few, vertices + threads);
  room.place(work.with_many, many);
  room.place(work.watched_by_many, many);
  room.place(work.with_most, most_with(kManyEdges, size.vertices, size.listed));
  room.place(work.before, size.listed);
  room.place(work.more, size.listed / 32 + 1);
  room.place(work.many_count, 1);
  room.place(work.most_count, 1);
  room.place(highest, 1);
  return room.used();
}

/// As many threads as there is something for: those with nothing to do would be in the way.
unsigned colouring_blocks(Vertex vertices) {
  const std::uint64_t wanted = (std::uint64_t{vertices} + kThreads - 1) / kThreads;
  return static_cast<unsigned>(
      std::min<std::uint64_t>(wanted, most_resident_blocks(take_colours, kThreads)));
}

}  // namespace

std::uint64_t colouring_memory(Vertex vertex_count, EdgeIndex edge_count, bool symmetric) {
  if (vertex_count == 0) return 0;
  Work work{};
  std::uint32_t* highest = nullptr;
  const Size size{vertex_count, symmetric ? edge_count : 2 * edge_count,
                  colouring_blocks(vertex_count)};
  return place_all(work, highest, size, nullptr) + class_lists_memory(vertex_count);
}

std::vector<std::size_t> colour_classes(cudaStream_t stream, const ColouredGraph& graph,
                                        Vertex* vertices) {
  const Vertex count = graph.vertex_count;
  if (count == 0) return {0};
  const Size size{count, graph.in.offsets == nullptr ? graph.edge_count : 2 * graph.edge_count,
                  colouring_blocks(count)};
  WorkingMemory memory(stream);
  Work work{};
  work.graph = graph;
  std::uint32_t* highest = nullptr;
  place_all(work, highest, size,
            memory.take<std::byte>(place_all(work, highest, size, nullptr), kColouring));
  check(cudaMemsetAsync(work.more, 0xff, (size.listed / 32 + 1) * sizeof *work.more, stream),
        kColouring);
  for (std::uint32_t* const word : {work.many_count, work.most_count, highest})
    check(cudaMemsetAsync(word, 0, sizeof *word, stream), kColouring);
  measure<<<blocks_for(count), kBlock, 0, stream>>>(work);
  list_before_most<<<blocks_for(size.listed), kBlock, 0, stream>>>(work);
  list_before_many<<<blocks_for(size.listed), kBlock, 0, stream>>>(work);
  launch_cooperative(take_colours, size.blocks, kThreads, stream, work);

  TwoArrays<std::uint32_t> colours{work.degrees, work.free};
  TwoArrays<std::uint32_t> sorted{work.waits, work.with_few};
  list_colours<<<blocks_for(count), kBlock, 0, stream>>>(work.ranges, count, colours.now,
                                                         sorted.now, highest);
  check(cudaGetLastError(), kColouring);
  std::uint32_t last = 0;
  check(cudaMemcpyAsync(&last, highest, sizeof last, cudaMemcpyDeviceToHost, stream), kColouring);
  memory.finish(kColouring);
  return list_classes(memory, colours, sorted, count, last, vertices);
}

}  // namespace vertigo::gpu::prepare
