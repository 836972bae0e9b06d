#include "vertigo/graph/bounded_search.h"

#include <vector>

#include "vertigo/graph/device_lists.h"

namespace vertigo::graph {

BoundedSearch search_within(const Adjacency& lists, Vertex source, EdgeIndex most_edges,
                            std::uint64_t most_levels) {
  BoundedSearch search;
  std::vector<bool> seen(lists.offsets.size() - 1, false);
  std::vector<Vertex> frontier = {source};
  seen[source] = true;
  EdgeIndex edges = 0;
  while (!frontier.empty() && search.levels < most_levels) {
    search.vertices += frontier.size();
    for (const Vertex v : frontier) edges += lists.degree(v);
    if (edges >= most_edges) {
      search.ended_early = true;
      return search;
    }
    const std::vector<Vertex> reached = neighbours_of(lists, frontier);
    frontier.clear();
    for (const Vertex u : reached) {
      if (seen[u]) continue;
      seen[u] = true;
      frontier.push_back(u);
    }
    ++search.levels;
  }
  return search;
}

}  // namespace vertigo::graph
