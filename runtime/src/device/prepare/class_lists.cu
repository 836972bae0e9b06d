#include <bit>

#include "class_lists.cuh"

namespace vertigo::gpu::prepare::colouring {

namespace {

__global__ void __launch_bounds__(kBlock)
    find_begins(const std::uint32_t* colours, Vertex count, Vertex* begins) {
  for (const Vertex i : gpu::detail::AllVertices{0, count})
    if (i == 0 || colours[i] != colours[i - 1]) begins[colours[i]] = i;
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
