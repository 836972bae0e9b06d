#include "vertigo/graph/graph.h"

#include <cstring>
#include <utility>

#include "room.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/device_lists.h"

namespace vertigo::graph {

namespace {

// The edges in another order take their records with them: for that, each is weighed by its number.
Adjacency transpose_with_records(const Graph& graph) {
  Adjacency numbered{graph.out.offsets, graph.out.targets, {}};
  Room<std::int64_t> numbers(graph.edge_count);
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < numbers.size(); ++e) numbers[e] = static_cast<std::int64_t>(e);
  numbered.weights = std::move(numbers).finished();
  Adjacency in = transpose(graph.vertex_count, numbered);
  const auto& came_from = std::get<Array<std::int64_t>>(in.weights);
  const std::size_t bytes = graph.edge_count == 0 ? 0 : graph.out.records.size() / graph.edge_count;
  Room<std::byte> records(graph.out.records.size());
#pragma omp parallel for schedule(static)
  for (std::size_t e = 0; e < came_from.size(); ++e)
    std::memcpy(records.data() + e * bytes,
                graph.out.records.data() + static_cast<std::size_t>(came_from[e]) * bytes, bytes);
  in.records = std::move(records).finished();
  in.weights = std::monostate{};
  return in;
}

}  // namespace

void build_transpose(Graph& graph) {
  if (graph.symmetric || graph.in_adjacency) return;
  if (!graph.out.records.empty()) {
    graph.in_adjacency = transpose_with_records(graph);
    return;
  }
  // Edges that are there in both directions, as in most files of undirected graphs, are their own
  // reverse; of parallel ones, the order of the weights may differ.
  if (graph.out.on_device != nullptr) {
    graph.in_adjacency = graph.out.on_device->transposed(graph.out);
    if (graph.in_adjacency) return;
  }
  const bool comparable = graph.no_duplicates || !graph.has_weights();
  if (comparable && is_symmetric(graph.vertex_count, graph.out)) {
    graph.in_adjacency = graph.out;
    return;
  }
  await_all(graph.out);
  graph.in_adjacency = transpose(graph.vertex_count, graph.out);
}

}  // namespace vertigo::graph
