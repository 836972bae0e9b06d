#include <algorithm>
#include <span>
#include <vector>

#include "vertigo/device/prepare.cuh"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu::prepare {

namespace {

constexpr std::uint64_t kGroup = 32;  // receivers: the threads of a warp

void add_lengths(std::vector<EdgeIndex>& counts, const graph::Adjacency& adjacency) {
  for (std::size_t v = 0; v < counts.size(); ++v)
    counts[v] += adjacency.degree(static_cast<Vertex>(v));
}

void add_in_degrees(std::vector<EdgeIndex>& counts, const graph::Graph& graph) {
  if (graph.symmetric || graph.in_adjacency) return add_lengths(counts, graph.in());
  const std::span<const Vertex> targets = graph.out.targets;
#pragma omp parallel for schedule(static) if (targets.size() >= 65536)
  for (std::size_t e = 0; e < targets.size(); ++e)
    __atomic_fetch_add(&counts[targets[e]], 1, __ATOMIC_RELAXED);
}

std::vector<EdgeIndex> messages_per_receiver(const graph::Graph& graph, Along along,
                                             bool once_if_symmetric) {
  std::vector<EdgeIndex> counts(graph.vertex_count, 0);
  const bool both = message_passes(graph, along, once_if_symmetric) == 2;
  // A message along an out-edge is received along an in-edge.
  if (along != Along::In) add_in_degrees(counts, graph);
  if (along == Along::In || both) add_lengths(counts, graph.out);
  return counts;
}

}  // namespace

unsigned message_passes(const graph::Graph& graph, Along along, bool once_if_symmetric) {
  return along == Along::Both && !(once_if_symmetric && graph.symmetric) ? 2 : 1;
}

std::uint64_t message_room(const graph::Graph& graph, Along along, bool once_if_symmetric) {
  if (graph.vertex_count == 0) return 0;
  const std::vector<EdgeIndex> counts = messages_per_receiver(graph, along, once_if_symmetric);
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  const DegreeBuckets buckets(*least, *most);
  struct Bucket {
    std::uint64_t receivers = 0;
    EdgeIndex most = 0;
  };
  std::vector<Bucket> filled(buckets.of(*least) + 1);
  for (const EdgeIndex count : counts) {
    Bucket& bucket = filled[buckets.of(count)];
    ++bucket.receivers;
    bucket.most = std::max(bucket.most, count);
  }
  std::uint64_t slots = 0;
  std::uint64_t begin = 0;
  for (const Bucket& bucket : filled) {
    const std::uint64_t end = begin + bucket.receivers;
    // Groups whose first receiver lies in this bucket.
    const std::uint64_t groups = (end + kGroup - 1) / kGroup - (begin + kGroup - 1) / kGroup;
    slots += groups * kGroup * bucket.most;
    begin = end;
  }
  return slots;
}

}  // namespace vertigo::gpu::prepare
