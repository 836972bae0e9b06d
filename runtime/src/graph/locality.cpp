#include "vertigo/graph/locality.h"

#include <algorithm>
#include <vector>

#include "vertigo/graph/device_lists.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

namespace {

constexpr EdgeIndex kSampledEdges = 4096;

}  // namespace

double share_within_tiles(const Graph& graph, Vertex tile) {
  const EdgeIndex edges = graph.out.targets.size();
  if (edges == 0 || tile == 0) return 0;
  const EdgeIndex samples = std::min(edges, kSampledEdges);
  std::vector<EdgeIndex> places;
  // Not every k-th edge: a period of the graph could meet that of the sample.
  for (EdgeIndex i = 0; i < samples; ++i)
    places.push_back((edges / samples) * i + (i * 0x9E3779B97F4A7C15u >> 32) % (edges / samples));
  const std::vector<Vertex> sources = sources_at(graph.out, places);
  const std::vector<Vertex> targets = targets_at(graph.out, places);
  EdgeIndex inside = 0;
  for (EdgeIndex i = 0; i < samples; ++i) inside += sources[i] / tile == targets[i] / tile;
  return static_cast<double>(inside) / static_cast<double>(samples);
}

}  // namespace vertigo::graph
