#include "vertigo/graph/bounded_search.h"

#include <array>
#include <utility>
#include <vector>

#include "vertigo/graph/device_lists.h"

namespace vertigo::graph {

namespace {

/// Calls visit(target, list) for the edges of some lists. list() says where the list of the target
/// lies: the host looks for it only then.
template <class Visit>
void visit_targets(const Adjacency& adjacency, std::span<const ListPlace> lists,
                   const Visit& visit) {
  const bool is_at_home = adjacency.targets.is_there() && adjacency.offsets.is_there();
  if (is_at_home || on_device(adjacency).offsets == nullptr) {
    const std::span<const EdgeIndex> offsets = adjacency.offsets;
    for (const ListPlace& list : lists)
      for (EdgeIndex e = list.begin; e < list.end; ++e) {
        const Vertex target = adjacency.targets[e];
        visit(target, [&] { return ListPlace{offsets[target], offsets[target + 1]}; });
      }
    return;
  }
  std::vector<EdgeIndex> edges;
  for (const ListPlace& list : lists)
    for (EdgeIndex e = list.begin; e < list.end; ++e) edges.push_back(e);
  std::vector<Step> steps(edges.size());
  adjacency.on_device->pick_steps(edges, steps.data());
  for (const Step& step : steps) visit(step.target, [&] { return step.list; });
}

}  // namespace

BoundedSearch search_within(const Adjacency& adjacency, Vertex source, EdgeIndex most_edges,
                            std::uint64_t most_levels) {
  BoundedSearch search;
  std::vector<bool> seen(adjacency.list_count(), false);
  std::vector<ListPlace> frontier = places_of(adjacency, std::array{source});
  seen[source] = true;
  EdgeIndex edges = 0;
  while (!frontier.empty() && search.levels < most_levels) {
    search.vertices += frontier.size();
    for (const ListPlace& list : frontier) edges += list.length();
    if (edges >= most_edges) {
      search.ended_early = true;
      return search;
    }
    std::vector<ListPlace> next;
    visit_targets(adjacency, frontier, [&](Vertex target, const auto& list) {
      if (seen[target]) return;
      seen[target] = true;
      next.push_back(list());
    });
    frontier = std::move(next);
    ++search.levels;
  }
  return search;
}

}  // namespace vertigo::graph
