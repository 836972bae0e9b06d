#include "vertigo/graph/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "vertigo/core/number_text.h"
#include "vertigo/graph/builder.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/reader.h"

namespace vertigo::graph {
namespace {

DegreeStatistics degree_statistics(Vertex vertex_count, const Adjacency& adjacency) {
  DegreeStatistics result;
  if (vertex_count == 0) return result;
  std::vector<EdgeIndex> degrees(vertex_count);
#pragma omp parallel for schedule(static)
  for (std::size_t v = 0; v < vertex_count; ++v)
    degrees[v] = adjacency.degree(static_cast<Vertex>(v));
  std::sort(degrees.begin(), degrees.end());
  result.least = degrees.front();
  result.most = degrees.back();
  const auto edges = static_cast<double>(adjacency.targets.size());
  result.mean = edges / static_cast<double>(vertex_count);
  constexpr std::array kRanks = {0.5, 0.9, 0.99, 0.999};
  for (std::size_t i = 0; i < kRanks.size(); ++i) {
    const auto rank = static_cast<std::size_t>(kRanks[i] * static_cast<double>(vertex_count));
    result.percentiles[i] = degrees[std::min<std::size_t>(rank, vertex_count - 1)];
  }
  EdgeIndex covered = 0;
  const std::size_t top = std::max<std::size_t>(1, vertex_count / 100);
  for (std::size_t i = vertex_count - top; i < vertex_count; ++i) covered += degrees[i];
  result.skew = edges == 0 ? 0 : static_cast<double>(covered) / edges;
  return result;
}

Vertex find_root(std::vector<Vertex>& parents, Vertex v) {
  for (;;) {
    const Vertex parent = std::atomic_ref(parents[v]).load(std::memory_order_relaxed);
    if (parent == v) return v;
    const Vertex grandparent = std::atomic_ref(parents[parent]).load(std::memory_order_relaxed);
    if (grandparent != parent)
      std::atomic_ref(parents[v]).store(grandparent, std::memory_order_relaxed);
    v = grandparent;
  }
}

// Hooks the larger root below the smaller one, so that a component ends up named by its smallest
// vertex.
void unite(std::vector<Vertex>& parents, Vertex u, Vertex v) {
  for (;;) {
    u = find_root(parents, u);
    v = find_root(parents, v);
    if (u == v) return;
    if (u < v) std::swap(u, v);
    Vertex expected = u;
    if (std::atomic_ref(parents[u]).compare_exchange_strong(expected, v, std::memory_order_relaxed))
      return;
  }
}

nlohmann::json degrees_to_json(const DegreeStatistics& degrees) {
  return {{"least", degrees.least},
          {"most", degrees.most},
          {"mean", degrees.mean},
          {"percentiles",
           {{"50", degrees.percentiles[0]},
            {"90", degrees.percentiles[1]},
            {"99", degrees.percentiles[2]},
            {"99.9", degrees.percentiles[3]}}},
          {"skew", degrees.skew}};
}

std::string degrees_to_text(const char* name, const DegreeStatistics& degrees) {
  return fmt::format(
      "{:<10} {} to {}, mean {:.2f}; 50% {}, 90% {}, 99% {}, 99.9% {}; skew {:.2f}\n", name,
      degrees.least, degrees.most, degrees.mean, degrees.percentiles[0], degrees.percentiles[1],
      degrees.percentiles[2], degrees.percentiles[3], degrees.skew);
}

}  // namespace

std::vector<Vertex> weak_components(const Graph& graph) {
  std::vector<Vertex> parents(graph.vertex_count);
  for (std::size_t v = 0; v < graph.vertex_count; ++v) parents[v] = static_cast<Vertex>(v);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    for (const Vertex u : graph.out.neighbours(static_cast<Vertex>(v)))
      unite(parents, static_cast<Vertex>(v), u);
  }
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    const Vertex root = find_root(parents, static_cast<Vertex>(v));
    std::atomic_ref(parents[v]).store(root, std::memory_order_relaxed);
  }
  return parents;
}

Sweep undirected_sweep(const Graph& graph, Vertex source) {
  Sweep result;
  result.last = source;
  std::vector<bool> seen(graph.vertex_count, false);
  std::vector<Vertex> frontier = {source};
  std::vector<Vertex> next;
  seen[source] = true;
  const auto visit = [&](const Adjacency& adjacency, Vertex v) {
    for (const Vertex u : adjacency.neighbours(v)) {
      if (seen[u]) continue;
      seen[u] = true;
      next.push_back(u);
    }
  };
  for (;;) {
    result.reached += frontier.size();
    next.clear();
    for (const Vertex v : frontier) {
      visit(graph.out, v);
      if (!graph.symmetric) visit(graph.in(), v);
    }
    if (next.empty()) break;
    ++result.depth;
    frontier.swap(next);
  }
  result.last = *std::min_element(frontier.begin(), frontier.end());
  return result;
}

Statistics compute_statistics(Graph& graph) {
  Statistics result;
  build_transpose(graph);
  await_lists(graph);
  result.symmetric = graph.symmetric || !find_asymmetry(graph.vertex_count, graph.out);
  result.out = degree_statistics(graph.vertex_count, graph.out);
  result.in = graph.symmetric ? result.out : degree_statistics(graph.vertex_count, graph.in());
  if (graph.vertex_count == 0) return result;
  const std::vector<Vertex> components = weak_components(graph);
  std::vector<std::uint64_t> sizes(graph.vertex_count, 0);
  for (const Vertex root : components) ++sizes[root];
  Vertex largest = 0;
  for (Vertex v = 0; v < graph.vertex_count; ++v) {
    result.components += sizes[v] > 0;
    if (sizes[v] > sizes[largest]) largest = v;
  }
  result.isolated = count_isolated(graph);
  result.largest_component = sizes[largest];
  const Sweep first = undirected_sweep(graph, largest);
  result.diameter_at_least = undirected_sweep(graph, first.last).depth;
  return result;
}

std::string to_text(const Statistics& statistics) {
  std::string text = degrees_to_text("out-degree", statistics.out);
  if (!statistics.symmetric) text += degrees_to_text("in-degree", statistics.in);
  text += fmt::format("components {} (the largest has {}), {}\n", statistics.components,
                      counted(statistics.largest_component, "vertex", "vertices"),
                      counted(statistics.isolated, "isolated vertex", "isolated vertices"));
  text += fmt::format("diameter   at least {}\n", statistics.diameter_at_least);
  text += fmt::format("symmetric  {}", statistics.symmetric ? "yes" : "no");
  return text;
}

nlohmann::json to_json(const Statistics& statistics) {
  return {{"out_degree", degrees_to_json(statistics.out)},
          {"in_degree", degrees_to_json(statistics.in)},
          {"components", statistics.components},
          {"largest_component", statistics.largest_component},
          {"isolated", statistics.isolated},
          {"diameter_at_least", statistics.diameter_at_least},
          {"symmetric", statistics.symmetric}};
}

}  // namespace vertigo::graph
