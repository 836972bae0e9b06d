#include "intake_counts.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "vertigo/core/parallel.h"
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

}  // namespace

double degree_skew(const Graph& graph) {
  if (graph.edge_count == 0) return 0;
  // Degrees up to a bound are counted; the few above it are kept one by one.
  constexpr std::size_t kCounted = 1 << 16;
  std::vector<std::uint64_t> vertices_of_degree(kCounted, 0);
  std::vector<EdgeIndex> large;
  ExceptionCarrier carrier;
#pragma omp parallel if (graph.vertex_count > kCounted)
  carrier.run([&] {
    std::vector<std::uint32_t> here(kCounted, 0);
    std::vector<EdgeIndex> large_here;
#pragma omp for schedule(static) nowait
    for (std::size_t v = 0; v < graph.vertex_count; ++v) {
      const EdgeIndex degree = graph.out.degree(static_cast<Vertex>(v));
      if (degree < kCounted)
        ++here[degree];
      else
        large_here.push_back(degree);
    }
#pragma omp critical(degree_skew)
    {
      for (std::size_t degree = 0; degree < kCounted; ++degree)
        vertices_of_degree[degree] += here[degree];
      large.insert(large.end(), large_here.begin(), large_here.end());
    }
  });
  carrier.rethrow();
  std::sort(large.rbegin(), large.rend());
  std::uint64_t left = std::max<std::uint64_t>(1, graph.vertex_count / 100);
  std::uint64_t covered = 0;
  for (std::size_t i = 0; i < large.size() && left > 0; ++i, --left) covered += large[i];
  for (std::size_t degree = kCounted; degree-- > 1 && left > 0;) {
    const std::uint64_t taken = std::min(left, vertices_of_degree[degree]);
    covered += taken * degree;
    left -= taken;
  }
  return static_cast<double>(covered) / static_cast<double>(graph.edge_count);
}

std::uint64_t count_isolated(const Graph& graph) {
  if (graph.on_file) return graph.on_file->facts().isolated_vertices;
  // A bit for each vertex with an edge: they are few enough for a cache of each core.
  constexpr std::size_t kBits = 64;
  const auto bit_of = [](std::size_t v) { return std::uint64_t{1} << v % kBits; };
  std::vector<std::uint64_t> has_edge((std::size_t{graph.vertex_count} + kBits - 1) / kBits, 0);
  const Adjacency* const in = graph.in_adjacency ? &*graph.in_adjacency : nullptr;
#pragma omp parallel for schedule(static)
  for (std::size_t word = 0; word < has_edge.size(); ++word) {
    const std::size_t end = std::min<std::size_t>((word + 1) * kBits, graph.vertex_count);
    for (std::size_t i = word * kBits; i < end; ++i) {
      const auto v = static_cast<Vertex>(i);
      if (graph.out.degree(v) > 0 || (in != nullptr && in->degree(v) > 0))
        has_edge[word] |= bit_of(v);
    }
  }
  if (!graph.symmetric && in == nullptr && on_device(graph.out).targets != nullptr) {
    const std::vector<std::uint64_t> reached = graph.out.on_device->reached();
    for (std::size_t word = 0; word < has_edge.size(); ++word) has_edge[word] |= reached[word];
  } else if (!graph.symmetric && in == nullptr) {
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
  EdgeIndex largest_degree = 0;
#pragma omp parallel for schedule(static) reduction(max : largest_degree)
  for (std::size_t v = 0; v < graph.vertex_count; ++v) {
    largest_degree = std::max(largest_degree, graph.out.degree(static_cast<Vertex>(v)));
  }
  report.max_out_degree = largest_degree;
  report.mean_out_degree = graph.vertex_count == 0 ? 0
                                                   : static_cast<double>(graph.edge_count) /
                                                         static_cast<double>(graph.vertex_count);
  report.skew = degree_skew(graph);
  count_weights(graph, report);
}

}  // namespace vertigo::graph
