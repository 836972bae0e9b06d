#include "vertigo/graph/part.h"

#include "vertigo/graph/device_lists.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

Part part_of(const Graph& graph, VertexRange range) {
  Part part{range, slice_of(graph.out, range), {}};
  if (graph.in_adjacency) part.in = slice_of(*graph.in_adjacency, range);
  return part;
}

/// Edges of all vertices before v, in- and out-edges together.
EdgeIndex edges_before(const Graph& graph, Vertex v) {
  return graph::edges_before(graph.out, v) +
         (graph.in_adjacency ? graph::edges_before(*graph.in_adjacency, v) : 0);
}

/// The end of the longest range from `first` on with at most `most_edges` edges, or one vertex.
Vertex end_of_range(const Graph& graph, Vertex first, EdgeIndex most_edges) {
  const EdgeIndex before = edges_before(graph, first);
  if (edges_before(graph, graph.vertex_count) - before <= most_edges) return graph.vertex_count;
  Vertex fits = first + 1;
  Vertex too_many = graph.vertex_count;
  while (too_many - fits > 1) {
    const Vertex middle = fits + (too_many - fits) / 2;
    (edges_before(graph, middle) - before <= most_edges ? fits : too_many) = middle;
  }
  return fits;
}

}  // namespace

AdjacencySlice slice_of(const Adjacency& adjacency, VertexRange range) {
  AdjacencySlice slice;
  slice.first = range.first;
  // A graph without vertices may lack even the one offset.
  if (adjacency.offsets.empty()) return slice;
  slice.base = edges_before(adjacency, range.first);
  const EdgeIndex edges = edges_before(adjacency, range.last) - slice.base;
  slice.offsets = adjacency.offsets.slice(range.first, std::size_t{range.last} - range.first + 1);
  slice.targets = adjacency.targets.slice(slice.base, edges);
  slice.weights = with_column(adjacency.weights, [&](const auto& column) -> Weights {
    if constexpr (kHasWeights<decltype(column)>)
      return column.slice(slice.base, edges);
    else
      return std::monostate{};
  });
  const std::size_t record =
      adjacency.targets.empty() ? 0 : adjacency.records.size() / adjacency.targets.size();
  slice.records = adjacency.records.slice(slice.base * record, edges * record);
  return slice;
}

Part whole(const Graph& graph) { return part_of(graph, VertexRange{0, graph.vertex_count}); }

std::vector<Part> parts_of_ranges(const Graph& graph, EdgeIndex most_edges) {
  std::vector<Part> parts;
  for (Vertex first = 0; first < graph.vertex_count;) {
    const Vertex last = end_of_range(graph, first, most_edges);
    parts.push_back(part_of(graph, VertexRange{first, last}));
    first = last;
  }
  return parts;
}

}  // namespace vertigo::graph
