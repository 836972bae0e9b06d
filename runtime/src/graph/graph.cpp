#include "vertigo/graph/graph.h"

#include <algorithm>

#include "vertigo/graph/builder.h"

namespace vertigo::graph {

EdgeIndex Adjacency::longest_list() const {
  const auto vertices = static_cast<std::int64_t>(offsets.size()) - 1;
  EdgeIndex longest = 0;
#pragma omp parallel for reduction(max : longest)
  for (std::int64_t v = 0; v < vertices; ++v)
    longest = std::max(longest, degree(static_cast<Vertex>(v)));
  return longest;
}

void build_transpose(Graph& graph) {
  if (graph.symmetric || graph.in_adjacency) return;
  graph.in_adjacency = transpose(graph.vertex_count, graph.out);
}

}  // namespace vertigo::graph
