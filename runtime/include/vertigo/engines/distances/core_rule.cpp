#include "vertigo/engines/distances/core_rule.cuh"

#include <algorithm>
#include <variant>
#include <vector>

#include "vertigo/graph/degrees.h"
#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu {

namespace {

/// Whether so many edges have the best weight that their order says little.
template <class Weight>
bool is_even(const graph::Adjacency& lists, bool downwards) {
  constexpr std::uint64_t kSamples = 4096;
  std::vector<EdgeIndex> places;
  for (std::uint64_t i = 0; i < kSamples; ++i)
    places.push_back(i * lists.targets.size() / kSamples);
  std::vector<Weight> samples = graph::weights_at<Weight>(lists, places);
  std::ranges::sort(samples);
  if (!downwards) std::ranges::reverse(samples);
  return samples[kSamples / 8] == samples.front();
}

std::uint64_t core_edges(const CoreRule& rule, const graph::DegreeCounts& degrees) {
  std::uint64_t edges = 0;
  for (std::size_t length = 0; length < degrees.lists.size(); ++length)
    edges += degrees.lists[length] * rule.length(static_cast<std::uint32_t>(length));
  for (const EdgeIndex length : degrees.longer)
    edges += rule.length(static_cast<std::uint32_t>(length));
  return edges;
}

}  // namespace

template <class Weight>
CoreRule core_rule(const Session& session, bool downwards, unsigned record_bytes, bool always,
                   bool back) {
  // Shares of 1024. Below the least, lists of a dozen edges lose some.
  constexpr std::uint32_t kLeast = 128;
  constexpr std::uint32_t kMost = 1024;
  const graph::Graph& graph = session.host_graph();
  const auto* const weights = std::get_if<graph::Array<Weight>>(&graph.out.weights);
  const bool differ =
      weights != nullptr && !weights->empty() && !is_even<Weight>(graph.out, downwards);
  if (graph.edge_count == 0 || (!differ && !always)) return {};
  const graph::DegreeCounts degrees = graph::degree_counts(back ? graph.out : graph.in());
  CoreRule rule{.share = always ? 0 : kLeast};
  if (core_edges(rule, degrees) > graph.edge_count / 6 && !always) return {};
  // More, as far as records of four bytes would take that share of all edges.
  const std::uint64_t room = graph.edge_count / 6 * 4 / record_bytes;
  for (std::uint32_t step = kMost / 2; step != 0; step /= 2) {
    rule.share += step;
    if (core_edges(rule, degrees) > room) rule.share -= step;
  }
  rule.most_edges = core_edges(rule, degrees);
  return rule;
}

template CoreRule core_rule<std::int32_t>(const Session&, bool, unsigned, bool, bool);
template CoreRule core_rule<std::int64_t>(const Session&, bool, unsigned, bool, bool);
template CoreRule core_rule<std::uint32_t>(const Session&, bool, unsigned, bool, bool);
template CoreRule core_rule<std::uint64_t>(const Session&, bool, unsigned, bool, bool);
template CoreRule core_rule<float>(const Session&, bool, unsigned, bool, bool);
template CoreRule core_rule<double>(const Session&, bool, unsigned, bool, bool);

}  // namespace vertigo::gpu
