#include "fixture.h"

#include <algorithm>
#include <random>

namespace vertigo::test {

graph::Graph make_graph(Vertex vertex_count, const std::vector<WeightedEdge>& edges, bool symmetric,
                        bool weighted) {
  std::vector<WeightedEdge> sorted = edges;
  if (symmetric)
    for (const auto& [u, v, w] : edges) sorted.emplace_back(v, u, w);
  std::sort(sorted.begin(), sorted.end());
  graph::Graph graph;
  graph.vertex_count = vertex_count;
  graph.edge_count = sorted.size();
  graph.symmetric = symmetric;
  std::vector<EdgeIndex> offsets(std::size_t{vertex_count} + 1, 0);
  std::vector<Vertex> targets;
  std::vector<std::int32_t> weights;
  for (const auto& [u, v, w] : sorted) {
    ++offsets[u + 1];
    targets.push_back(v);
    weights.push_back(w);
  }
  for (Vertex v = 0; v < vertex_count; ++v) offsets[v + 1] += offsets[v];
  graph.out.offsets = std::move(offsets);
  graph.out.targets = std::move(targets);
  if (weighted) graph.out.weights = std::move(weights);
  graph.ids = graph::IdMap::contiguous(0, vertex_count);
  graph.name = "test";
  return graph;
}

graph::Graph random_graph(Vertex vertex_count, std::size_t edge_count, unsigned seed,
                          bool symmetric, bool self_loops) {
  std::mt19937 random(seed);
  std::vector<WeightedEdge> edges;
  for (std::size_t e = 0; e < edge_count; ++e) {
    const Vertex u = random() % vertex_count, v = random() % vertex_count;
    const int weight = static_cast<int>(random() % 9) + 1;
    if (u != v || self_loops) edges.emplace_back(u, v, weight);
  }
  return make_graph(vertex_count, edges, symmetric);
}

host::Arguments source_argument(Vertex source) {
  host::Arguments arguments;
  arguments.set("source", Value{ScalarKind::Vertex, std::uint64_t{source}});
  return arguments;
}

host::RunResult interpret(std::string_view program, const graph::Graph& graph,
                          const host::Arguments& arguments) {
  return reference::interpret_text(program, host::RunRequest{graph, arguments, {}});
}

reference::CheckReport check(std::string_view program, const graph::Graph& graph,
                             const host::Arguments& arguments, const host::RunResult& result) {
  return reference::check_text(program, host::RunRequest{graph, arguments, {}}, result);
}

}  // namespace vertigo::test
