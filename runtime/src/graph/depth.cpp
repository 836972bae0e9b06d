#include "vertigo/graph/depth.h"

#include <cstdint>

#include "vertigo/graph/bounded_search.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

namespace {

constexpr EdgeIndex kLongestList = 64;
constexpr std::uint64_t kDeepLevels = 100;
/// About a hundred thousand vertices of a road network: a circle of two hundred levels.
constexpr EdgeIndex kEdgeBudget = 1 << 18;
/// On a graph that is hardly more than a path, the budget is for a hundred thousand levels.
constexpr std::uint64_t kMostLevels = 10 * kDeepLevels;

}  // namespace

bool is_deep(const Graph& graph) {
  if (graph.vertex_count == 0 || graph.edge_count > EdgeIndex{4} * graph.vertex_count) return false;
  if (graph.out.longest_list() > kLongestList) return false;
  // From several places: one may lie in a small component, or have no out-edges.
  constexpr unsigned kPlaces = 8;
  BoundedSearch largest;
  for (unsigned i = 0; i < kPlaces && !largest.ended_early; ++i) {
    const auto place =
        static_cast<Vertex>((2 * std::uint64_t{i} + 1) * graph.vertex_count / (2 * kPlaces));
    const BoundedSearch search = search_within(graph.out, place, {kEdgeBudget, kMostLevels});
    if (search.vertices > largest.vertices) largest = search;
  }
  return largest.levels + (largest.ended_early ? 1 : 0) >= kDeepLevels;
}

}  // namespace vertigo::graph
