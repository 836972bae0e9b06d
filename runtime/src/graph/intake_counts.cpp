#include "intake_counts.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "vertigo/graph/degrees.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/edges_on_file.h"
#include "vertigo/graph/reader.h"
#include "weights.h"

namespace vertigo::graph {
namespace {

void count_weights(const FactsOfEdges& facts, IntakeReport& report) {
  if (!facts.has_weights) return;
  report.weights = facts.real_weights ? WeightKind::Real : WeightKind::Integer;
  report.smallest_weight = facts.smallest_weight;
  report.largest_weight = facts.largest_weight;
  report.negative_weights = facts.negative_weights;
  report.zero_weights = facts.zero_weights;
}

void count_weights(const WeightFacts& facts, IntakeReport& report) {
  report.smallest_weight = facts.smallest;
  report.largest_weight = facts.largest;
  report.negative_weights = facts.negative;
  report.zero_weights = facts.zero;
}

void count_weights(const Graph& graph, IntakeReport& report) {
  if (graph.on_file) return count_weights(graph.on_file->facts(), report);
  with_column(graph.out.weights, [&](const auto& weights) {
    using Column = std::remove_cvref_t<decltype(weights)>;
    if constexpr (kHasWeights<Column>) {
      using W = WeightOf<Column>;
      report.weights = std::is_floating_point_v<W> ? WeightKind::Real : WeightKind::Integer;
      if (weights.empty()) return;
      if (const auto facts = weight_facts(graph.out)) return count_weights(*facts, report);
      W smallest = weights[0];
      W largest = weights[0];
      std::uint64_t negative = 0;
      std::uint64_t zero = 0;
#pragma omp parallel for schedule(static) reduction(min : smallest) reduction(max : largest) \
    reduction(+ : negative, zero)
      for (std::size_t i = 0; i < weights.size(); ++i) {
        smallest = std::min(smallest, weights[i]);
        largest = std::max(largest, weights[i]);
        negative += weights[i] < W{};
        zero += weights[i] == W{};
      }
      // A zero has no sign: which of two is met first is not known.
      report.smallest_weight = static_cast<double>(smallest) + 0.0;
      report.largest_weight = static_cast<double>(largest) + 0.0;
      report.negative_weights = negative;
      report.zero_weights = zero;
    }
  });
}

/// Share of all edges that leave the 1% of vertices (at least one) with the highest out-degree.
double degree_skew(const Graph& graph, const DegreeCounts& degrees) {
  if (graph.edge_count == 0) return 0;
  std::uint64_t left = std::max<std::uint64_t>(1, graph.vertex_count / 100);
  std::uint64_t covered = 0;
  for (std::size_t i = 0; i < degrees.longer.size() && left > 0; ++i, --left)
    covered += degrees.longer[i];
  for (std::size_t degree = degrees.lists.size(); degree-- > 1 && left > 0;) {
    const std::uint64_t taken = std::min(left, degrees.lists[degree]);
    covered += taken * degree;
    left -= taken;
  }
  return static_cast<double>(covered) / static_cast<double>(graph.edge_count);
}

/// A device has the lists, which are the in-lists, too: it knows how many of them have no edge.
bool are_own_reverse_there(const Graph& graph) {
  const auto& lists = graph.out.on_device;
  if (lists == nullptr) return false;
  return graph.symmetric || (graph.in_adjacency && graph.in_adjacency->on_device == lists);
}

}  // namespace

std::uint64_t count_isolated(const Graph& graph) {
  if (graph.on_file) return graph.on_file->facts().isolated_vertices;
  if (are_own_reverse_there(graph)) {
    const DegreeCounts degrees = degree_counts(graph.out);
    return degrees.lists.empty() ? 0 : degrees.lists.front();
  }
  // A bit for each vertex with an edge: they are few enough for a cache of each core.
  constexpr std::size_t kBits = 64;
  const auto bit_of = [](std::size_t v) { return std::uint64_t{1} << v % kBits; };
  std::vector<std::uint64_t> has_edge = filled_lists(graph.out);
  const auto add = [&](const std::vector<std::uint64_t>& others) {
    for (std::size_t word = 0; word < has_edge.size(); ++word) has_edge[word] |= others[word];
  };
  if (graph.in_adjacency) {
    add(filled_lists(*graph.in_adjacency));
  } else if (!graph.symmetric && on_device(graph.out).targets != nullptr) {
    add(graph.out.on_device->reached());
  } else if (!graph.symmetric) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < graph.out.targets.size(); ++i) {
      // Most have one already: reading leaves the line with all threads.
      const Vertex v = graph.out.targets[i];
      const std::atomic_ref known(has_edge[v / kBits]);
      if ((known.load(std::memory_order_relaxed) & bit_of(v)) == 0)
        known.fetch_or(bit_of(v), std::memory_order_relaxed);
    }
  }
  std::uint64_t known = 0;
#pragma omp parallel for schedule(static) reduction(+ : known)
  for (std::size_t word = 0; word < has_edge.size(); ++word)
    known += static_cast<std::uint64_t>(std::popcount(has_edge[word]));
  return graph.vertex_count - known;
}

void count_intake(const Graph& graph, IntakeReport& report) {
  report.vertices = graph.vertex_count;
  report.edges = graph.edge_count;
  report.symmetric = graph.symmetric;
  report.ids_contiguous = graph.ids.is_contiguous();
  if (graph.vertex_count > 0) {
    report.smallest_id = graph.ids.to_input(0);
    report.largest_id = graph.ids.to_input(graph.vertex_count - 1);
  }
  report.text_ids = graph.ids.is_text();
  if (report.text_ids) {
    report.first_text = graph.ids.texts()[0];
    report.last_text = graph.ids.texts()[graph.vertex_count - 1];
  }
  if (report.index_base < 0 && graph.vertex_count > 0 && !report.text_ids)
    report.index_base = index_base_of(report.smallest_id);
  const DegreeCounts degrees = degree_counts(graph.out);
  report.max_out_degree = degrees.longest();
  report.mean_out_degree = graph.vertex_count == 0 ? 0
                                                   : static_cast<double>(graph.edge_count) /
                                                         static_cast<double>(graph.vertex_count);
  report.skew = degree_skew(graph, degrees);
  count_weights(graph, report);
}

}  // namespace vertigo::graph
