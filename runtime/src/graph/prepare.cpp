#include "vertigo/graph/prepare.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "vertigo/core/memory.h"
#include "vertigo/core/number_text.h"
#include "vertigo/graph/device_lists.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

/// A counting sort by degree, which keeps the order of equal ones.
std::vector<Vertex> by_descending_degree(const Graph& graph) {
  EdgeIndex most = 0;
  for (std::size_t v = 0; v < graph.vertex_count; ++v)
    most = std::max(most, graph.out.degree(static_cast<Vertex>(v)));
  // Degrees above the number of vertices need parallel edges; they share one counter and are sorted
  // afterwards, so that memory follows the number of vertices.
  const EdgeIndex top = std::min<EdgeIndex>(most, graph.vertex_count);
  const auto rank = [&](Vertex v) { return top - std::min(graph.out.degree(v), top); };
  std::vector<std::size_t> begins(top + 2, 0);
  for (std::size_t v = 0; v < graph.vertex_count; ++v) ++begins[rank(static_cast<Vertex>(v)) + 1];
  for (std::size_t r = 1; r < begins.size(); ++r) begins[r] += begins[r - 1];
  const std::size_t at_top = begins[1];
  std::vector<Vertex> order(graph.vertex_count);
  for (std::size_t v = 0; v < graph.vertex_count; ++v)
    order[begins[rank(static_cast<Vertex>(v))]++] = static_cast<Vertex>(v);
  std::stable_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at_top),
                   [&](Vertex a, Vertex b) { return graph.out.degree(a) > graph.out.degree(b); });
  return order;
}

template <class W>
using EdgesOfList = std::vector<std::pair<Vertex, W>>;

/// The edges of list `v`, targets passed through `number`.
template <class Column, class Number>
void collect(const Adjacency& adjacency, const Column& column, Vertex v, const Number& number,
             EdgesOfList<WeightOf<Column>>& edges) {
  edges.clear();
  for (EdgeIndex e = adjacency.offsets[v]; e < adjacency.offsets[v + 1]; ++e)
    edges.emplace_back(number(adjacency.targets[e]), column[e]);
}

template <class Column>
void place(const EdgesOfList<WeightOf<Column>>& edges, EdgeIndex at, Room<Vertex>& targets,
           Column& column) {
  for (const auto& [target, weight] : edges) {
    targets[at] = target;
    column[at] = weight;
    ++at;
  }
}

Adjacency renumbered(const Adjacency& adjacency, std::span<const Vertex> order,
                     std::span<const Vertex> place_of) {
  std::vector<EdgeIndex> offsets(order.size() + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i)
    offsets[i + 1] = offsets[i] + adjacency.degree(order[i]);
  Room<Vertex> targets(adjacency.targets.size());
  Weights weights;
  const auto new_number = [&](Vertex u) { return place_of[u]; };
  with_column(adjacency.weights, [&](const auto& column) {
    using Column = std::remove_cvref_t<decltype(column)>;
    Written<Column> sorted(adjacency.targets.size());
#pragma omp parallel
    {
      EdgesOfList<WeightOf<Column>> edges;
#pragma omp for schedule(dynamic, 256)
      for (std::size_t i = 0; i < order.size(); ++i) {
        collect(adjacency, column, order[i], new_number, edges);
        std::stable_sort(edges.begin(), edges.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        place(edges, offsets[i], targets, sorted);
      }
    }
    weights = to_weights(std::move(sorted));
  });
  return {std::move(offsets), std::move(targets).finished(), std::move(weights)};
}

ReorderedEdges sorted_by_weight(const Adjacency& adjacency) {
  Room<Vertex> targets(adjacency.targets.size());
  Weights weights;
  with_column(adjacency.weights, [&](const auto& column) {
    using Column = std::remove_cvref_t<decltype(column)>;
    Written<Column> sorted(adjacency.targets.size());
    const std::size_t vertices = adjacency.offsets.size() - 1;
#pragma omp parallel
    {
      EdgesOfList<WeightOf<Column>> edges;
#pragma omp for schedule(dynamic, 256)
      for (std::size_t v = 0; v < vertices; ++v) {
        collect(adjacency, column, static_cast<Vertex>(v), [](Vertex u) { return u; }, edges);
        std::stable_sort(edges.begin(), edges.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
        place(edges, adjacency.offsets[v], targets, sorted);
      }
    }
    weights = to_weights(std::move(sorted));
  });
  return {std::move(targets).finished(), std::move(weights)};
}

void order_by_degree(Graph& graph) {
  Preparations& prepared = graph.prepared;
  prepared.degree_order = by_descending_degree(graph);
  std::vector<Vertex> place_of(graph.vertex_count);
  for (std::size_t i = 0; i < place_of.size(); ++i)
    place_of[prepared.degree_order[i]] = static_cast<Vertex>(i);
  prepared.degree_ordered_out = renumbered(graph.out, prepared.degree_order, place_of);
  prepared.degree_ordered_in.reset();
  if (graph.in_adjacency)
    prepared.degree_ordered_in = renumbered(*graph.in_adjacency, prepared.degree_order, place_of);
}

void sort_by_weight(Graph& graph) {
  Preparations& prepared = graph.prepared;
  prepared.weight_sorted_out.reset();
  prepared.weight_sorted_in.reset();
  if (!graph.has_weights()) return;
  prepared.weight_sorted_out = sorted_by_weight(graph.out);
  if (graph.in_adjacency) prepared.weight_sorted_in = sorted_by_weight(*graph.in_adjacency);
}

// Pairs of a symmetric graph, as all programs but sums along both directions walk them.
void lay_out_paths(Graph& graph, const SketchOptions& asked) {
  graph.prepared.paths.reset();
  SketchOptions options = asked;
  options.keep_edges = true;
  const PathEdges edges = graph.symmetric ? PathEdges::Pairs : PathEdges::Arcs;
  graph.prepared.paths =
      std::make_shared<const PathSketch>(sketch_paths(graph, graph.out, edges, options));
}

struct Known {
  Preparation preparation;
  const char* name;
  bool (*is_there)(const Preparations&);
};
constexpr Known kKnown[] = {
    {Preparation::DegreeOrder, "degree-order", [](auto& p) { return p.has_degree_order(); }},
    {Preparation::WeightSorted, "weight-sorted", [](auto& p) { return p.has_weight_order(); }},
    {Preparation::Paths, "paths", [](auto& p) { return p.paths != nullptr; }},
    {Preparation::Colours, "colours", [](auto& p) { return p.all_colours != nullptr; }},
    {Preparation::FewColours, "few-colours", [](auto& p) { return p.few_colours != nullptr; }},
};

}  // namespace

const char* name_of(Preparation preparation) {
  return kKnown[static_cast<std::size_t>(preparation)].name;
}

std::vector<std::string> preparation_names() {
  std::vector<std::string> names;
  for (const Known& known : kKnown) names.emplace_back(known.name);
  return names;
}

std::optional<Preparation> preparation_named(const std::string& name) {
  for (const Known& known : kKnown)
    if (name == known.name) return known.preparation;
  return std::nullopt;
}

void prepare(Graph& graph, Preparation preparation, const SketchOptions& paths) {
  await_all(graph);
  Preparations& prepared = graph.prepared;
  switch (preparation) {
    case Preparation::DegreeOrder:
      return order_by_degree(graph);
    case Preparation::WeightSorted:
      return sort_by_weight(graph);
    case Preparation::Paths:
      return lay_out_paths(graph, paths);
    case Preparation::Colours:
      prepared.all_colours.reset();
      prepared.all_colours = std::make_shared<const ColourClasses>(colour_classes(graph));
      return;
    case Preparation::FewColours:
      prepared.few_colours.reset();
      prepared.few_colours =
          std::make_shared<const ColourClasses>(colour_classes(graph, kDerivedColours));
      return;
  }
}

std::vector<std::string> prepared_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Known& known : kKnown)
    if (known.is_there(graph.prepared)) names.emplace_back(known.name);
  return names;
}

std::string described(const PathSketch& stored) {
  return fmt::format("paths between {} (share {:.3g}), {}", counted(stored.hubs.size(), "hub"),
                     stored.hub_share, format_bytes(stored_bytes(stored)));
}

std::string described(const ColourClasses& stored) {
  return fmt::format("{}{}, {}", counted(stored.independent(), "colour class", "colour classes"),
                     stored.has_rest ? " and a rest" : "", format_bytes(stored_bytes(stored)));
}

std::uint64_t stored_bytes(const PathSketch& paths) { return paths.bytes(); }

std::uint64_t stored_bytes(const ColourClasses& classes) {
  return classes.vertices.size() * sizeof(Vertex) + classes.begins.size() * sizeof(std::uint64_t);
}

}  // namespace vertigo::graph
