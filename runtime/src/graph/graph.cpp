#include "vertigo/graph/graph.h"

#include <algorithm>
#include <utility>

#include "vertigo/graph/builder.h"

namespace vertigo::graph {

IdMap IdMap::contiguous(std::uint64_t base, std::uint64_t count) {
  IdMap map;
  map.base_ = base;
  map.count_ = count;
  return map;
}

IdMap IdMap::sparse(std::vector<std::uint64_t> ascending_ids) {
  IdMap map;
  map.count_ = ascending_ids.size();
  if (ascending_ids.empty()) return map;
  map.base_ = ascending_ids.front();
  // Strictly ascending, so first and last tell whether there is a gap.
  if (ascending_ids.back() - ascending_ids.front() != ascending_ids.size() - 1) {
    map.ids_ = std::move(ascending_ids);
  }
  return map;
}

EdgeIndex Adjacency::longest_list() const {
  const auto vertices = static_cast<std::int64_t>(offsets.size()) - 1;
  EdgeIndex longest = 0;
#pragma omp parallel for reduction(max : longest)
  for (std::int64_t v = 0; v < vertices; ++v)
    longest = std::max(longest, degree(static_cast<Vertex>(v)));
  return longest;
}

std::uint64_t IdMap::to_input(Vertex internal) const {
  return ids_.empty() ? base_ + internal : ids_[internal];
}

std::optional<Vertex> IdMap::to_internal(std::uint64_t input_id) const {
  if (ids_.empty()) {
    if (input_id < base_ || input_id - base_ >= count_) return std::nullopt;
    return static_cast<Vertex>(input_id - base_);
  }
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), input_id);
  if (found == ids_.end() || *found != input_id) return std::nullopt;
  return static_cast<Vertex>(found - ids_.begin());
}

std::uint64_t IdMap::size() const { return count_; }

void build_transpose(Graph& graph) {
  if (graph.symmetric || graph.in_adjacency) return;
  graph.in_adjacency = transpose(graph.vertex_count, graph.out);
}

}  // namespace vertigo::graph
