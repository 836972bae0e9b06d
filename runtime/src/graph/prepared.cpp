#include "prepared.h"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <span>
#include <utility>

#include "mix.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

/// Edges of one list: the list's end, the targets' numbers, the weights.
struct EdgeLists {
  std::span<const EdgeIndex> offsets;
  std::span<const Vertex> targets;
  const Weights& weights;
};

/// A sum over all edges that does not depend on their order. `old` gives the number of a vertex in
/// the file.
template <class Old>
std::uint64_t sum_of_edges(const EdgeLists& lists, const Old& old) {
  std::uint64_t sum = 0;
  const std::size_t vertices = lists.offsets.size() - 1;
  with_column(lists.weights, [&](const auto& column) {
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : sum)
    for (std::size_t v = 0; v < vertices; ++v) {
      const std::uint64_t list = std::uint64_t{old(static_cast<Vertex>(v))} << 32;
      for (EdgeIndex e = lists.offsets[v]; e < lists.offsets[v + 1]; ++e)
        sum += scramble(scramble(list | old(lists.targets[e])) +
                        bits_of<WeightOf<decltype(column)>>(column[e]));
    }
  });
  return sum;
}

/// Whether `ascends(e - 1, e)` holds for all neighbouring edges of a list.
template <class Ascends>
bool all_lists(std::span<const EdgeIndex> offsets, const Ascends& ascends) {
  bool all = true;
  const std::size_t vertices = offsets.size() - 1;
#pragma omp parallel for schedule(dynamic, 1024) reduction(&& : all)
  for (std::size_t v = 0; v < vertices; ++v)
    for (EdgeIndex e = offsets[v] + 1; e < offsets[v + 1]; ++e) all = all && ascends(e - 1, e);
  return all;
}

bool is_permutation(std::span<const Vertex> order) {
  std::vector<char> seen(order.size(), 0);
  for (const Vertex v : order) {
    if (v >= order.size() || seen[v] != 0) return false;
    seen[v] = 1;
  }
  return true;
}

Vertex same(Vertex v) { return v; }

std::string degree_order_problem(const Adjacency& plain, const Adjacency& ordered,
                                 std::span<const Vertex> order, bool descending) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto place = static_cast<Vertex>(i);
    if (ordered.degree(place) != plain.degree(order[i]))
      return "the degree-ordered lists have other lengths than the graph's";
    if (descending && i > 0 && ordered.degree(place) > ordered.degree(place - 1))
      return "the degree order does not descend";
  }
  const auto ascends = [&](EdgeIndex a, EdgeIndex b) {
    return ordered.targets[a] <= ordered.targets[b];
  };
  if (!all_lists(ordered.offsets, ascends)) return "a degree-ordered list does not ascend";
  const auto old = [&](Vertex place) { return order[place]; };
  if (sum_of_edges({plain.offsets, plain.targets, plain.weights}, same) !=
      sum_of_edges({ordered.offsets, ordered.targets, ordered.weights}, old))
    return "the degree-ordered lists hold other edges than the graph";
  return "";
}

std::string weight_order_problem(const Adjacency& plain, const ReorderedEdges& sorted) {
  const bool ascending = with_column(sorted.weights, [&](const auto& column) {
    using W = WeightOf<decltype(column)>;
    return all_lists(plain.offsets,
                     [&](EdgeIndex a, EdgeIndex b) { return !(W(column[b]) < W(column[a])); });
  });
  if (!ascending) return "a weight-sorted list does not ascend";
  if (sum_of_edges({plain.offsets, plain.targets, plain.weights}, same) !=
      sum_of_edges({plain.offsets, sorted.targets, sorted.weights}, same))
    return "the weight-sorted lists hold other edges than the graph";
  return "";
}

}  // namespace

std::string preparation_problem(const Adjacency& out, const Adjacency* in,
                                const Preparations& prepared) {
  std::string problem;
  if (prepared.has_degree_order()) {
    if (!is_permutation(prepared.degree_order)) return "the degree order is no permutation";
    problem = degree_order_problem(out, prepared.degree_ordered_out, prepared.degree_order, true);
    if (problem.empty() && prepared.degree_ordered_in)
      problem =
          degree_order_problem(*in, *prepared.degree_ordered_in, prepared.degree_order, false);
  }
  if (problem.empty() && prepared.weight_sorted_out)
    problem = weight_order_problem(out, *prepared.weight_sorted_out);
  if (problem.empty() && prepared.weight_sorted_in)
    problem = weight_order_problem(*in, *prepared.weight_sorted_in);
  return problem;
}

}  // namespace vertigo::graph
