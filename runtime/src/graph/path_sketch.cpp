#include "vertigo/graph/path_sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "follow_paths.h"
#include "path_chunks.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/depth.h"

namespace vertigo::graph {

namespace {

constexpr std::size_t kFew = 4096;  ///< vertices for which a parallel region does not pay

/// No two numbers below 2^32 get the same.
std::uint32_t mixed(std::uint32_t v) {
  v *= 0x9e3779b1u;
  v ^= v >> 15;
  v *= 0x85ebca6bu;
  return v ^ v >> 13;
}

/// Vertices by importance: by degree in both directions, equal ones in any order, so that any share
/// of them has a threshold.
class Importance {
 public:
  Importance(const Graph& graph, const Adjacency& lists) : lists_(lists) {
    if (graph.symmetric) return;
    if (graph.in_adjacency) {
      others_ = &lists == &*graph.in_adjacency ? &graph.out : &*graph.in_adjacency;
      return;
    }
    received_.assign(graph.vertex_count, 0);
#pragma omp parallel for schedule(static) if (lists.targets.size() >= kFew)
    for (std::size_t e = 0; e < lists.targets.size(); ++e) {
#pragma omp atomic
      ++received_[lists.targets[e]];
    }
  }

  std::uint64_t degree(Vertex v) const {
    return lists_.degree(v) + (others_ != nullptr  ? others_->degree(v)
                               : received_.empty() ? 0
                                                   : received_[v]);
  }
  std::uint64_t operator()(Vertex v) const {
    constexpr std::uint64_t kMost = ~std::uint32_t{0};
    return std::min(degree(v), kMost) << 32 | mixed(v);
  }

 private:
  const Adjacency& lists_;
  const Adjacency* others_ = nullptr;
  std::vector<EdgeIndex> received_;
};

/// What a vertex has to exceed so that about the wanted share of all do.
std::uint64_t find_threshold(const Importance& importance, Vertex vertices,
                             const PathSketch& chosen) {
  const auto samples = static_cast<std::uint64_t>(
      std::clamp(std::ceil(chosen.sample_share * vertices), 1.0, double(vertices)));
  std::vector<std::uint64_t> found(samples);
  // With all vertices sampled each is there once.
  for (std::uint64_t i = 0; i < samples; ++i) {
    const auto any =
        static_cast<Vertex>(std::uint64_t{mixed(static_cast<std::uint32_t>(i))} * vertices >> 32);
    found[i] = importance(samples == vertices ? static_cast<Vertex>(i) : any);
  }
  const auto wanted = static_cast<std::uint64_t>(
      std::max(1.0, std::round(chosen.hub_share * static_cast<double>(samples))));
  if (wanted >= samples) return 0;
  const auto at = found.begin() + static_cast<std::ptrdiff_t>(wanted);
  std::ranges::nth_element(found, at, std::greater<>());
  return *at;
}

std::vector<std::uint8_t> find_hubs(const Graph& graph, const Adjacency& lists,
                                    PathSketch& sketch) {
  const Importance importance(graph, lists);
  const Vertex vertices = graph.vertex_count;
  std::vector<std::uint8_t> is_hub(vertices, 0);
  const std::uint64_t threshold = find_threshold(importance, vertices, sketch);
#pragma omp parallel for schedule(static) if (vertices >= kFew)
  for (std::size_t v = 0; v < vertices; ++v)
    is_hub[v] = importance(static_cast<Vertex>(v)) > threshold ? 1 : 0;
  sketch.hub_degree = std::numeric_limits<std::uint64_t>::max();
  for (Vertex v = 0; v < vertices; ++v) {
    if (is_hub[v] == 0) continue;
    sketch.hubs.push_back(v);
    sketch.hub_degree = std::min(sketch.hub_degree, importance.degree(v));
  }
  if (sketch.hubs.empty()) sketch.hub_degree = 0;
  return is_hub;
}

/// Ranges of vertices with about as many edges each.
std::vector<PathPart> cut(const Adjacency& lists, Vertex vertices, EdgeIndex edges_per_part) {
  const EdgeIndex edges = lists.targets.size();
  const EdgeIndex count = std::max<EdgeIndex>(1, edges / std::max<EdgeIndex>(1, edges_per_part));
  std::vector<PathPart> parts;
  Vertex first = 0;
  for (EdgeIndex i = 1; i <= count; ++i) {
    const EdgeIndex end = edges / count * i + edges % count * i / count;
    const auto at = std::lower_bound(lists.offsets.begin() + first, lists.offsets.end(), end);
    const Vertex last =
        i == count ? vertices : std::min(vertices, static_cast<Vertex>(at - lists.offsets.begin()));
    if (last > first) parts.push_back({first, last});
    first = std::max(first, last);
  }
  return parts;
}

}  // namespace

std::uint64_t PathSketch::bytes() const {
  return hubs.size() * sizeof(Vertex) + vertices.size() * sizeof(Vertex) +
         edges.size() * sizeof(EdgeIndex) + breaks.size() * sizeof(std::uint32_t) +
         begins.size() * sizeof(std::uint64_t);
}

SketchOptions derived_options(const Graph& graph, const SketchOptions& asked) {
  SketchOptions made = asked;
  const double vertices = std::max<double>(1, graph.vertex_count);
  const double both = graph.symmetric ? 1 : 2;  // directions of an edge in the lists
  const double degree = both * static_cast<double>(graph.edge_count) / vertices;
  // Tables 1 and 4 of the paper: 0.5% of hubs where vertices have 19 neighbours and more,
  // else 2.5%.
  if (made.hub_share == 0) made.hub_share = degree >= 18 ? 0.005 : 0.025;
  // So many samples among the hubs that their share is off by a few percent at most.
  constexpr double kSampledHubs = 8192;
  if (made.sample_share == 0)
    made.sample_share = std::min(1.0, kSampledHubs / made.hub_share / vertices);
  // Section 5.2: twice where paths are short, four times where they are long.
  if (made.hub_turns == 0)
    made.hub_turns = is_deep(graph) ? 4 : degree >= 64 ? 2 : degree >= 18 ? 3 : 4;
  return made;
}

PathSketch sketch_paths(const Graph& graph, const Adjacency& lists, PathEdges edges,
                        const SketchOptions& options) {
  const SketchOptions chosen = derived_options(graph, options);
  PathSketch sketch;
  sketch.hub_share = chosen.hub_share;
  sketch.sample_share = chosen.sample_share;
  sketch.hub_turns = chosen.hub_turns;
  if (graph.vertex_count == 0) return sketch;
  const std::vector<std::uint8_t> is_hub = find_hubs(graph, lists, sketch);
  const std::vector<PathPart> parts = cut(lists, graph.vertex_count, chosen.edges_per_part);
  std::vector<PartPaths> found(parts.size());
  ExceptionCarrier carrier;
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t i = 0; i < parts.size(); ++i)
    carrier.run([&] { found[i] = follow_paths(lists, edges, parts[i], is_hub); });
  carrier.rethrow();
  lay_out(found, options.keep_edges, sketch);
  return sketch;
}

}  // namespace vertigo::graph
