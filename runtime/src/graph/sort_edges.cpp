#include <algorithm>
#include <cstdint>
#include <utility>

#include "bucket_sort.h"
#include "row_facts.h"
#include "sort_lists.h"
#include "vertigo/graph/builder.h"

namespace vertigo::graph {
namespace {

template <class Column>
struct ListedEdges {
  using Weight = WeightOf<Column>;
  const EdgeList& list;
  const Column& weights;

  void visit(std::size_t part, std::size_t parts, const auto& edge) const {
    const std::size_t end = list.sources.size() * (part + 1) / parts;
    for (std::size_t i = list.sources.size() * part / parts; i < end; ++i)
      edge(list.sources[i], list.targets[i], weights[i]);
  }
};

template <class Column>
struct ReversedEdges {
  using Weight = WeightOf<Column>;
  const Adjacency& lists;
  const Column& weights;

  std::size_t begin_of(std::size_t part, std::size_t parts) const {
    const auto& offsets = lists.offsets;
    if (part == parts) return offsets.size() - 1;
    const EdgeIndex edge = lists.targets.size() / parts * part;
    return static_cast<std::size_t>(std::lower_bound(offsets.begin(), offsets.end() - 1, edge) -
                                    offsets.begin());
  }
  void visit(std::size_t part, std::size_t parts, const auto& edge) const {
    const std::size_t end = begin_of(part + 1, parts);
    for (std::size_t v = begin_of(part, parts); v < end; ++v) {
      for (EdgeIndex e = lists.offsets[v]; e < lists.offsets[v + 1]; ++e)
        edge(lists.targets[e], static_cast<Vertex>(v), weights[e]);
    }
  }
};

}  // namespace

Adjacency sort_edges(EdgeList edges) {
  return with_column(edges.weights, [&](const auto& weights) {
    using Column = std::remove_cvref_t<decltype(weights)>;
    return lists_of(edges.vertex_count, ListedEdges<Column>{edges, weights}, ListOrder::Ascending);
  });
}

Adjacency transpose(Vertex vertex_count, const Adjacency& adjacency) {
  return with_column(adjacency.weights, [&](const auto& weights) {
    using Column = std::remove_cvref_t<decltype(weights)>;
    return lists_of(vertex_count, ReversedEdges<Column>{adjacency, weights}, ListOrder::Kept);
  });
}

Adjacency sort_lists(Vertex vertex_count, Adjacency adjacency) {
  Room<Vertex> targets(adjacency.targets.size());
  adjacency.weights = with_column(adjacency.weights, [&](const auto& weights) {
    using Column = Written<std::remove_cvref_t<decltype(weights)>>;
    Column sorted(adjacency.targets.size());
#pragma omp parallel
    {
      ListSorter<Column> sorter;
#pragma omp for schedule(dynamic, 4096)
      for (std::size_t v = 0; v < vertex_count; ++v) {
        const EdgeIndex begin = adjacency.offsets[v];
        for (EdgeIndex e = begin; e < adjacency.offsets[v + 1]; ++e) {
          targets[e] = adjacency.targets[e];
          sorted[e] = weights[e];
        }
        sorter.sort(targets.data() + begin, sorted, begin, adjacency.offsets[v + 1] - begin);
      }
    }
    return to_weights(std::move(sorted));
  });
  adjacency.targets = std::move(targets).finished();
  return adjacency;
}

}  // namespace vertigo::graph
