#include "vertigo/graph/both_directions.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "room.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

namespace {

/// place(adjacency, edge there, its place in the merged lists) for every edge and reverse.
template <class Place>
void merge_lists(const Graph& graph, std::span<const EdgeIndex> offsets, const Place& place) {
  const Adjacency& out = graph.out;
  const Adjacency& in = graph.in();
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(graph.vertex_count); ++i) {
    const auto v = static_cast<Vertex>(i);
    EdgeIndex to = offsets[v];
    EdgeIndex a = out.offsets[v];
    EdgeIndex b = in.offsets[v];
    while (a < out.offsets[v + 1] || b < in.offsets[v + 1]) {
      const bool is_out =
          b == in.offsets[v + 1] || (a < out.offsets[v + 1] && out.targets[a] <= in.targets[b]);
      if (is_out)
        place(out, a++, to++);
      else
        place(in, b++, to++);
    }
  }
}

template <class T>
Array<T> merge_weights(const Graph& graph, std::span<const EdgeIndex> offsets) {
  Room<T> weights(2 * graph.edge_count);
  merge_lists(graph, offsets, [&](const Adjacency& from, EdgeIndex e, EdgeIndex to) {
    weights[to] = std::get<Array<T>>(from.weights)[e];
  });
  return std::move(weights).finished();
}

Array<std::byte> merge_records(const Graph& graph, std::span<const EdgeIndex> offsets) {
  const std::size_t bytes = graph.out.records.size() / graph.edge_count;
  Room<std::byte> records(2 * graph.out.records.size());
  merge_lists(graph, offsets, [&](const Adjacency& from, EdgeIndex e, EdgeIndex to) {
    std::memcpy(records.data() + to * bytes, from.records.data() + e * bytes, bytes);
  });
  return std::move(records).finished();
}

}  // namespace

Graph both_directions(const Graph& graph) {
  await_all(graph);
  Room<EdgeIndex> offsets(graph.vertex_count + std::size_t{1});
  for (std::size_t v = 0; v < offsets.size(); ++v)
    offsets[v] = graph.out.offsets[v] + graph.in().offsets[v];
  Room<Vertex> targets(2 * graph.edge_count);
  merge_lists(graph, offsets, [&](const Adjacency& from, EdgeIndex e, EdgeIndex to) {
    targets[to] = from.targets[e];
  });

  Graph both;
  both.vertex_count = graph.vertex_count;
  both.edge_count = 2 * graph.edge_count;
  both.symmetric = true;
  both.record_fields = graph.record_fields;
  both.ids = graph.ids;
  both.name = graph.name;
  std::visit(
      [&]<class Of>(const Of&) {
        if constexpr (!std::is_same_v<Of, std::monostate>)
          both.out.weights = merge_weights<typename Of::value_type>(graph, offsets);
      },
      graph.out.weights);
  if (!graph.out.records.empty()) both.out.records = merge_records(graph, offsets);
  both.out.targets = std::move(targets).finished();
  both.out.offsets = std::move(offsets).finished();
  return both;
}

}  // namespace vertigo::graph
