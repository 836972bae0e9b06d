#include "vertigo/graph/bounded_search.h"

#include <optional>
#include <utility>
#include <vector>

#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

namespace {

BoundedSearch search_on_host(const Adjacency& lists, Vertex source, const SearchBounds& bounds) {
  const std::span<const EdgeIndex> offsets = lists.offsets;
  const std::span<const Vertex> targets = lists.targets;
  BoundedSearch search;
  std::vector<bool> seen(lists.list_count(), false);
  std::vector<Vertex> frontier{source};
  seen[source] = true;
  EdgeIndex edges = 0;
  while (!frontier.empty() && search.levels < bounds.levels) {
    search.vertices += frontier.size();
    for (const Vertex v : frontier) edges += offsets[v + 1] - offsets[v];
    if (edges >= bounds.edges) {
      search.ended_early = true;
      return search;
    }
    std::vector<Vertex> next;
    for (const Vertex v : frontier)
      for (EdgeIndex e = offsets[v]; e < offsets[v + 1]; ++e) {
        const Vertex target = targets[e];
        if (seen[target]) continue;
        seen[target] = true;
        next.push_back(target);
      }
    frontier = std::move(next);
    ++search.levels;
  }
  return search;
}

}  // namespace

BoundedSearch search_within(const Adjacency& lists, Vertex source, const SearchBounds& bounds) {
  const bool is_at_home = lists.targets.is_there() && lists.offsets.is_there();
  if (!is_at_home && on_device(lists).offsets != nullptr)
    if (const auto search = lists.on_device->search(source, bounds)) return *search;
  return search_on_host(lists, source, bounds);
}

}  // namespace vertigo::graph
