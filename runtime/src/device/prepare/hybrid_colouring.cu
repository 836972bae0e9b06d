// The first colour classes of a hybrid colouring (class_taker.cuh), and the rest.

#include "class_lists.cuh"
#include "class_taker.cuh"
#include "colouring.h"

namespace vertigo::gpu::prepare {

namespace {

using namespace colouring;

__global__ void __launch_bounds__(kBlock) measure_hybrid(const HybridWork work) {
  std::uint32_t connected = 0;
  for (const Vertex v : gpu::detail::AllVertices{0, work.graph.vertex_count}) {
    const std::uint64_t degree = degree_of(work.graph, v);
    // Nobody is in the way of a vertex without edges.
    work.words[v] = degree == 0 ? 0 : hybrid_degree(degree) << 8 | kOpen;
    connected += degree != 0 ? 1 : 0;
    if (degree >= kFewEdges) work.many[0][claim(work.many_count)] = v;
  }
  __syncwarp();
  connected = __reduce_add_sync(kAllLanes, connected);
  if (lane() == 0 && connected != 0) atomicAdd(work.connected, connected);
}

__global__ void __launch_bounds__(kThreads) take_classes(const HybridWork work) {
  ClassTaker(work).run();
}

/// Whoever has none of the classes has their number as its colour.
__global__ void __launch_bounds__(kBlock)
    list_hybrid_colours(const HybridWork work, std::uint32_t* colours, Vertex* vertices,
                        std::uint32_t* highest) {
  std::uint32_t mine = 0;
  for (const Vertex v : gpu::detail::AllVertices{0, work.graph.vertex_count}) {
    const std::uint32_t mark = work.words[v] & kMark;
    colours[v] = mark < *work.taken ? mark : *work.taken;
    vertices[v] = v;
    mine = colours[v] > mine ? colours[v] : mine;
  }
  __syncwarp();
  mine = __reduce_max_sync(kAllLanes, mine);
  if (lane() == 0 && mine != 0) atomicMax(highest, mine);
}

unsigned hybrid_blocks(Vertex vertices) {
  const std::uint64_t wanted = (std::uint64_t{vertices} + kThreads - 1) / kThreads;
  return static_cast<unsigned>(
      std::min<std::uint64_t>(wanted, most_resident_blocks(take_classes, kThreads)));
}

/// Words that are 0 to begin with, together: see place_hybrid().
constexpr std::uint32_t kWords = kMostBeforeRest + 4;

std::uint64_t place_hybrid(HybridWork& work, std::uint32_t*& words, Vertex vertices,
                           EdgeIndex listed, unsigned blocks, std::byte* begin) {
  Room room(begin);
  const std::uint64_t threads = std::uint64_t{blocks} * kThreads;
  const std::uint64_t few = vertices + threads;
  // Columns of warps are as long as each other, too.
  const std::uint64_t many =
      std::min<std::uint64_t>(vertices, listed / kFewEdges) + threads + kWarp;
  room.place(work.words, vertices);
  for (Vertex*& list : work.few) room.place(list, few);
  room.place(work.watched_by_few, few);
  for (Vertex*& list : work.many) room.place(list, many);
  room.place(work.watched_by_many, many);
  room.place(work.looked_at, many);
  room.place(words, kWords);
  return room.used();
}

}  // namespace

std::uint64_t hybrid_colouring_memory(Vertex vertex_count, EdgeIndex edge_count, bool symmetric) {
  if (vertex_count == 0) return 0;
  HybridWork work{};
  std::uint32_t* words = nullptr;
  return place_hybrid(work, words, vertex_count, symmetric ? edge_count : 2 * edge_count,
                      hybrid_blocks(vertex_count), nullptr) +
         array_bytes<Vertex>(vertex_count) + class_lists_memory(vertex_count);
}

HybridClasses hybrid_colour_classes(cudaStream_t stream, const ColouredGraph& graph,
                                    std::uint32_t most, Vertex* vertices) {
  const Vertex count = graph.vertex_count;
  if (count == 0) return {{0}, false};
  const EdgeIndex listed = graph.in.offsets == nullptr ? graph.edge_count : 2 * graph.edge_count;
  const unsigned blocks = hybrid_blocks(count);
  WorkingMemory memory(stream);
  HybridWork work{};
  work.graph = graph;
  work.most = most;
  std::uint32_t* words = nullptr;
  const std::uint64_t bytes = place_hybrid(work, words, count, listed, blocks, nullptr);
  place_hybrid(work, words, count, listed, blocks, memory.take<std::byte>(bytes, kColouring));
  work.many_count = words;
  work.connected = words + 1;
  work.taken = words + 2;
  std::uint32_t* const highest = words + 3;
  work.sizes = words + 4;
  check(cudaMemsetAsync(words, 0, kWords * sizeof *words, stream), kColouring);
  measure_hybrid<<<blocks_for(count), kBlock, 0, stream>>>(work);
  launch_cooperative(take_classes, blocks, kThreads, stream, work);

  const TwoArrays<std::uint32_t> colours{work.few[0], work.few[1]};
  const TwoArrays<Vertex> sorted{work.watched_by_few, memory.take<Vertex>(count, kColouring)};
  list_hybrid_colours<<<blocks_for(count), kBlock, 0, stream>>>(work, colours.now, sorted.now,
                                                                highest);
  check(cudaGetLastError(), kColouring);
  std::uint32_t found[2] = {};  // classes, highest colour
  check(cudaMemcpyAsync(found, work.taken, sizeof found, cudaMemcpyDeviceToHost, stream),
        kColouring);
  memory.finish(kColouring);
  return {list_classes(memory, colours, sorted, count, found[1], vertices), found[1] == found[0]};
}

}  // namespace vertigo::gpu::prepare
