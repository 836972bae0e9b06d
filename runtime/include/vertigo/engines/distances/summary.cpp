#include "vertigo/engines/distances/summary.cuh"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>
#include <variant>
#include <vector>

#include "vertigo/graph/bounded_search.h"
#include "vertigo/graph/degrees.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/graph.h"

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

/// The first vertex from `start` on that has two edges; the last vertex where none has.
Vertex first_with_two(const graph::Adjacency& lists, Vertex start) {
  const auto last = static_cast<Vertex>(lists.list_count() - 1);
  // Where there are many others, more of them are looked at together: each look may be a way to
  // the device.
  constexpr std::size_t kMost = 1 << 16;
  for (std::size_t count = 64; start < last; count = std::min(4 * count, kMost)) {
    std::vector<Vertex> looked_at(std::min<std::size_t>(count, last - start));
    std::iota(looked_at.begin(), looked_at.end(), start);
    for (const graph::ListPlace& list : graph::places_of(lists, looked_at)) {
      if (list.length() >= 2) return start;
      ++start;
    }
  }
  return last;
}

bool has_long_paths(const graph::Adjacency& lists) {
  const auto is_long = [&](Vertex start) {
    return graph::search_within(lists, start, {kSearchedEdges, kLongPath}).levels >= kLongPath;
  };
  const std::size_t vertices = lists.list_count();
  // One of the starts may lie in a small component.
  for (std::size_t quarter = 1; quarter < 4; ++quarter)
    if (is_long(first_with_two(lists, static_cast<Vertex>(quarter * (vertices / 4))))) return true;
  return is_long(graph::first_longest(lists));
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
  if (graph.vertex_count == 0) return summary;
  summary.most_edges = out.longest_list();
  summary.has_long_paths = summary.most_edges <= kShortLists && has_long_paths(out);
  return summary;
}

template ListSummary<std::int32_t> summarize_lists(Session&, std::int32_t, bool);
template ListSummary<std::int64_t> summarize_lists(Session&, std::int64_t, bool);
template ListSummary<std::uint32_t> summarize_lists(Session&, std::uint32_t, bool);
template ListSummary<std::uint64_t> summarize_lists(Session&, std::uint64_t, bool);
template ListSummary<float> summarize_lists(Session&, float, bool);
template ListSummary<double> summarize_lists(Session&, double, bool);

}  // namespace vertigo::gpu
