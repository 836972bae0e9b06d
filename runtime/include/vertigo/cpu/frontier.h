#pragma once
// What a controller asks about the vertices of a list.

#include "vertigo/cpu/buffers.h"
#include "vertigo/cpu/graph_view.h"

namespace vertigo::cpu {

template <class View>
inline std::uint64_t out_edges_of(const View& graph, const WorklistBuffer& list) {
  const std::span<const Vertex> vertices = Worklist(list).vertices();
  std::uint64_t edges = 0;
#pragma omp parallel for reduction(+ : edges) if (vertices.size() >= 65536)
  for (std::size_t i = 0; i < vertices.size(); ++i) edges += out_degree(graph, vertices[i]);
  return edges;
}

}  // namespace vertigo::cpu
