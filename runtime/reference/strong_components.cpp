#include "strong_components.h"

#include <algorithm>
#include <map>

namespace vertigo::reference {

// Tarjan's search, without recursion: paths may be as long as the graph has vertices.
void StrongComponents::find() {
  const auto vertices = static_cast<Vertex>(first_.size() - 1);
  std::vector<Vertex> number(vertices, kNoVertex), lowest(vertices, 0);
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  std::vector<Vertex> path, open;
  component_.assign(vertices, kNoVertex);
  Vertex numbered = 0;
  const auto enter = [&](Vertex v) {
    number[v] = lowest[v] = numbered++;
    path.push_back(v);
    open.push_back(v);
  };
  const auto leave = [&](Vertex v) {
    path.pop_back();
    if (!path.empty()) lowest[path.back()] = std::min(lowest[path.back()], lowest[v]);
    if (lowest[v] != number[v]) return;
    while (component_[v] == kNoVertex) {
      component_[open.back()] = v;
      open.pop_back();
    }
  };
  for (Vertex root = 0; root < vertices; ++root) {
    if (number[root] != kNoVertex) continue;
    enter(root);
    while (!path.empty()) {
      const Vertex v = path.back();
      if (next[v] == first_[v + 1]) {
        leave(v);
        continue;
      }
      const Vertex u = heads_[next[v]++];
      if (number[u] == kNoVertex)
        enter(u);
      else if (component_[u] == kNoVertex)
        lowest[v] = std::min(lowest[v], number[u]);
    }
  }
}

std::vector<std::size_t> StrongComponents::path(Vertex from, Vertex to) const {
  std::map<Vertex, std::pair<Vertex, std::size_t>> came;  // from where, along which edge
  std::vector<Vertex> reached{from};
  for (std::size_t i = 0; i < reached.size() && reached[i] != to; ++i) {
    const Vertex v = reached[i];
    for (std::size_t e = first_[v]; e < first_[v + 1]; ++e) {
      const Vertex u = heads_[e];
      if (!joins(u, from) || u == from || !came.try_emplace(u, v, e).second) continue;
      reached.push_back(u);
    }
  }
  std::vector<std::size_t> edges;
  for (Vertex at = to; at != from; at = came.at(at).first) edges.push_back(came.at(at).second);
  std::ranges::reverse(edges);
  return edges;
}

}  // namespace vertigo::reference
