#include "vertigo/engines/distances/summary.cuh"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <variant>
#include <vector>

#include "vertigo/graph/bounded_search.h"
#include "vertigo/graph/device_lists.h"

namespace vertigo::gpu {

namespace {

template <class Weight>
unsigned bits_between(Weight least, Weight most) {
  if (least == most) return 0;
  if constexpr (std::is_floating_point_v<Weight>)
    return 64;
  else
    return static_cast<unsigned>(
        std::bit_width(static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least)));
}

template <class Weight>
void add_weights(ListSummary<Weight>& summary, const graph::Array<Weight>& weights) {
  Weight least = weights.front();
  Weight most = weights.front();
  double sum = 0;
  const auto count = static_cast<std::int64_t>(weights.size());
#pragma omp parallel for reduction(min : least) reduction(max : most) reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i) {
    least = std::min(least, weights[i]);
    most = std::max(most, weights[i]);
    sum += static_cast<double>(weights[i]);
  }
  summary.least = least;
  summary.most = most;
  summary.mean = sum / static_cast<double>(count);
}

/// The same of lists that a device has; false where there are none, or its numbers are not exact.
template <class Weight>
bool add_facts(ListSummary<Weight>& summary, const graph::Graph& graph) {
  constexpr bool kExact = std::is_floating_point_v<Weight> || sizeof(Weight) == 4;
  const auto facts = kExact ? graph::weight_facts(graph.out) : std::nullopt;
  if (!facts) return false;
  summary.least = static_cast<Weight>(facts->smallest);
  summary.most = static_cast<Weight>(facts->largest);
  summary.mean = facts->mean;
  return true;
}

}  // namespace

template <class Weight>
ListSummary<Weight> summarize_lists(Session& session, Weight everywhere, bool back) {
  const graph::Graph& graph = session.host_graph();
  const graph::Adjacency& out = back ? graph.in() : graph.out;
  ListSummary<Weight> summary{
      .least = everywhere, .most = everywhere, .mean = static_cast<double>(everywhere)};
  const auto* const weights = std::get_if<graph::Array<Weight>>(&graph.out.weights);
  if (weights != nullptr && !weights->empty() && !add_facts(summary, graph))
    add_weights(summary, *weights);
  summary.range_bits = bits_between(summary.least, summary.most);
  Vertex busiest = 0;
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    if (out.degree(v) > out.degree(busiest)) busiest = v;
  if (graph.vertex_count == 0) return summary;
  summary.most_edges = out.degree(busiest);
  // One of the starts may lie in a small component.
  const Vertex quarter = graph.vertex_count / 4;
  for (Vertex start : {busiest, quarter, 2 * quarter, 3 * quarter}) {
    while (start + 1 < graph.vertex_count && out.degree(start) < 2) ++start;
    summary.levels =
        std::max(summary.levels, graph::search_within(out, start, kSearchedEdges).levels);
  }
  return summary;
}

template ListSummary<std::int32_t> summarize_lists(Session&, std::int32_t, bool);
template ListSummary<std::int64_t> summarize_lists(Session&, std::int64_t, bool);
template ListSummary<std::uint32_t> summarize_lists(Session&, std::uint32_t, bool);
template ListSummary<std::uint64_t> summarize_lists(Session&, std::uint64_t, bool);
template ListSummary<float> summarize_lists(Session&, float, bool);
template ListSummary<double> summarize_lists(Session&, double, bool);

}  // namespace vertigo::gpu
