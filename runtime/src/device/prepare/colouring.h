#pragma once
// Colour classes on the device: the same as graph::colour_classes() finds on the host.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::gpu::prepare {

/// A graph whose lists lie where kernels read them at full speed.
struct ColouredLists {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
};
struct ColouredGraph {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
  ColouredLists out;
  ColouredLists in;  ///< without offsets: the graph is symmetric
};

/// Writes all vertices to `vertices`, class after class, ascending by id inside a class, and
/// returns where classes begin, and the end of the last. Waits for the stream.
std::vector<std::size_t> colour_classes(cudaStream_t stream, const ColouredGraph& graph,
                                        Vertex* vertices);

/// Of each class, how many vertices have out- or in-lists of at least `least` edges. Waits for the
/// stream.
std::vector<std::uint32_t> long_lists(cudaStream_t stream, const ColouredGraph& graph,
                                      const Vertex* vertices,
                                      const std::vector<std::size_t>& begins, EdgeIndex least);

/// Bytes of working memory that it holds at most.
std::uint64_t colouring_memory(Vertex vertex_count, EdgeIndex edge_count, bool symmetric);

struct HybridClasses {
  std::vector<std::size_t> begins;  ///< where classes begin, and the end of the last
  bool has_rest = false;            ///< the last one is the rest, in which there may be neighbours
};

/// The same of a hybrid colouring with `most` classes before a rest, or kDerivedColours.
HybridClasses hybrid_colour_classes(cudaStream_t stream, const ColouredGraph& graph,
                                    std::uint32_t most, Vertex* vertices);
std::uint64_t hybrid_colouring_memory(Vertex vertex_count, EdgeIndex edge_count, bool symmetric);

}  // namespace vertigo::gpu::prepare
