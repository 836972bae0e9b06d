#include "vertigo/graph/depth.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

namespace {

constexpr EdgeIndex kLongestList = 64;
constexpr std::uint64_t kDeepLevels = 100;
/// About a hundred thousand vertices of a road network: a circle of two hundred levels.
constexpr EdgeIndex kEdgeBudget = 1 << 18;

struct Ball {
  std::uint64_t levels = 0;
  std::uint64_t vertices = 0;
  EdgeIndex edges = 0;
};

/// A search along out-edges that stops after kEdgeBudget edges.
Ball grow_ball(const Graph& graph, Vertex source) {
  Ball ball;
  std::vector<bool> seen(graph.vertex_count, false);
  std::vector<Vertex> frontier = {source};
  std::vector<Vertex> next;
  seen[source] = true;
  while (!frontier.empty() && ball.edges < kEdgeBudget) {
    next.clear();
    for (const Vertex v : frontier)
      for (const Vertex u : graph.out.neighbours(v)) {
        if (++ball.edges >= kEdgeBudget) break;
        if (seen[u]) continue;
        seen[u] = true;
        next.push_back(u);
      }
    ++ball.levels;
    ball.vertices += frontier.size();
    frontier.swap(next);
  }
  return ball;
}

}  // namespace

bool is_deep(const Graph& graph) {
  if (graph.vertex_count == 0 || graph.edge_count > EdgeIndex{4} * graph.vertex_count) return false;
  if (graph.out.longest_list() > kLongestList) return false;
  // From several places: one may lie in a small component, or have no out-edges.
  constexpr unsigned kPlaces = 8;
  Ball largest;
  for (unsigned i = 0; i < kPlaces && largest.edges < kEdgeBudget; ++i) {
    const auto place =
        static_cast<Vertex>((2 * std::uint64_t{i} + 1) * graph.vertex_count / (2 * kPlaces));
    const Ball ball = grow_ball(graph, place);
    if (ball.vertices > largest.vertices) largest = ball;
  }
  return largest.levels >= kDeepLevels;
}

}  // namespace vertigo::graph
