#include "vertigo/graph/locality.h"

#include <algorithm>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

namespace {

constexpr EdgeIndex kSampledEdges = 4096;

}  // namespace

double share_within_tiles(const Graph& graph, Vertex tile) {
  const EdgeIndex edges = graph.out.targets.size();
  if (edges == 0 || tile == 0) return 0;
  const EdgeIndex samples = std::min(edges, kSampledEdges);
  EdgeIndex inside = 0;
  for (EdgeIndex i = 0; i < samples; ++i) {
    // Not every k-th edge: a period of the graph could meet that of the sample.
    const EdgeIndex e = (edges / samples) * i + (i * 0x9E3779B97F4A7C15u >> 32) % (edges / samples);
    const auto end = std::upper_bound(graph.out.offsets.begin(), graph.out.offsets.end(), e);
    const auto source = static_cast<Vertex>(end - graph.out.offsets.begin() - 1);
    inside += source / tile == graph.out.targets[e] / tile;
  }
  return static_cast<double>(inside) / static_cast<double>(samples);
}

}  // namespace vertigo::graph
