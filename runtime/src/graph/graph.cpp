#include "vertigo/graph/graph.h"

#include <algorithm>

#include "row_facts.h"
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
  const RowFacts facts = row_facts(graph.vertex_count, graph.out);
  // Edges that are there in both directions, as in most files of undirected graphs, are their own
  // reverse; of parallel ones, the order of the weights may differ.
  const bool comparable = facts.ascending && (facts.duplicates == 0 || !graph.has_weights());
  if (comparable && sums_are_symmetric(graph.vertex_count, graph.out))
    graph.in_adjacency = graph.out;
  else
    graph.in_adjacency = transpose(graph.vertex_count, graph.out);
}

}  // namespace vertigo::graph
