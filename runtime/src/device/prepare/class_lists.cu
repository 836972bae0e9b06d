#include <bit>

#include "class_lists.cuh"
#include "colouring.h"

namespace vertigo::gpu::prepare::colouring {

namespace {

__global__ void __launch_bounds__(kBlock)
    find_begins(const std::uint32_t* colours, Vertex count, Vertex* begins) {
  for (const Vertex i : gpu::detail::AllVertices{0, count})
    if (i == 0 || colours[i] != colours[i - 1]) begins[colours[i]] = i;
}

/// The class of the vertex at a place of the list.
__device__ __forceinline__ unsigned class_at(const std::size_t* begins, unsigned count,
                                             std::size_t place) {
  unsigned first = 0;
  unsigned last = count - 1;
  while (first < last) {
    const unsigned middle = first + (last - first + 1) / 2;
    if (begins[middle] <= place)
      first = middle;
    else
      last = middle - 1;
  }
  return first;
}

/// Threads share the vertices, not the classes: there may be four classes of millions. Few vertices
/// have long lists, so it is for these that the class is looked up.
__global__ void __launch_bounds__(kBlock)
    count_long(const ColouredGraph graph, const Vertex* vertices, const std::size_t* begins,
               unsigned classes, EdgeIndex least, std::uint32_t* counts) {
  const auto is_long = [&](const ColouredLists& lists, Vertex v) {
    return lists.offsets != nullptr && lists.offsets[v + 1] - lists.offsets[v] >= least;
  };
  for (const Vertex place : gpu::detail::AllVertices{0, graph.vertex_count}) {
    const Vertex v = vertices[place];
    if (is_long(graph.out, v) || is_long(graph.in, v))
      atomicAdd(&counts[class_at(begins, classes, place)], 1u);
  }
}

}  // namespace

std::uint64_t class_lists_memory(Vertex count) {
  return sort_memory<std::uint32_t, std::uint32_t>(count, 32) + array_bytes<Vertex>(count);
}

std::vector<std::size_t> list_classes(WorkingMemory& memory, TwoArrays<std::uint32_t> colours,
                                      TwoArrays<Vertex> listed, Vertex count, std::uint32_t last,
                                      Vertex* vertices) {
  sort_pairs(memory, colours, listed, count, 0, static_cast<unsigned>(std::bit_width(last)));
  auto* const begins = memory.take<Vertex>(last + std::uint64_t{1}, kColouring);
  find_begins<<<blocks_for(count), kBlock, 0, memory.stream()>>>(colours.now, count, begins);
  check(cudaGetLastError(), kColouring);
  check(cudaMemcpyAsync(vertices, listed.now, count * sizeof(Vertex), cudaMemcpyDeviceToDevice,
                        memory.stream()),
        kColouring);
  std::vector<Vertex> found(last + std::size_t{1});
  check(cudaMemcpyAsync(found.data(), begins, found.size() * sizeof(Vertex), cudaMemcpyDeviceToHost,
                        memory.stream()),
        kColouring);
  memory.finish(kColouring);
  std::vector<std::size_t> result(found.begin(), found.end());
  result.push_back(count);
  return result;
}

}  // namespace vertigo::gpu::prepare::colouring

namespace vertigo::gpu::prepare {

using colouring::kColouring;

std::vector<std::uint32_t> long_lists(cudaStream_t stream, const ColouredGraph& graph,
                                      const Vertex* vertices,
                                      const std::vector<std::size_t>& begins, EdgeIndex least) {
  std::vector<std::uint32_t> result(begins.size() - 1);
  if (result.empty()) return result;
  WorkingMemory memory(stream);
  auto* const on_device = memory.take<std::size_t>(begins.size(), kColouring);
  auto* const counts = memory.take<std::uint32_t>(result.size(), kColouring);
  check(cudaMemcpyAsync(on_device, begins.data(), begins.size() * sizeof begins[0],
                        cudaMemcpyHostToDevice, stream),
        kColouring);
  check(cudaMemsetAsync(counts, 0, result.size() * sizeof result[0], stream), kColouring);
  colouring::count_long<<<colouring::blocks_for(graph.vertex_count), kBlock, 0, stream>>>(
      graph, vertices, on_device, static_cast<unsigned>(result.size()), least, counts);
  check(cudaGetLastError(), kColouring);
  check(cudaMemcpyAsync(result.data(), counts, result.size() * sizeof result[0],
                        cudaMemcpyDeviceToHost, stream),
        kColouring);
  memory.finish(kColouring);
  return result;
}

}  // namespace vertigo::gpu::prepare
