#include "vertigo/graph/path_sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "follow_paths.h"
#include "path_chunks.h"
#include "vertigo/core/number_text.h"
#include "vertigo/core/parallel.h"
#include "vertigo/graph/depth.h"
#include "vertigo/graph/device_lists.h"

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

/// Degrees in both directions.
class Degrees {
 public:
  Degrees(const Graph& graph, const Adjacency& lists) : lists_(lists) {
    if (graph.symmetric) return;
    along_in_ = graph.in_adjacency && &lists == &*graph.in_adjacency;
    if (graph.in_adjacency) {
      others_ = along_in_ ? &graph.out : &*graph.in_adjacency;
      return;
    }
    received_.assign(graph.vertex_count, 0);
#pragma omp parallel for schedule(static) if (lists.targets.size() >= kFew)
    for (std::size_t e = 0; e < lists.targets.size(); ++e) {
#pragma omp atomic
      ++received_[lists.targets[e]];
    }
  }

  /// Of edges and their reverses, each once where every edge has one.
  EdgeIndex all(Vertex v) const { return lists_.degree(v) + (is_symmetric() ? 0 : other(v)); }
  EdgeIndex in(Vertex v) const { return along_in_ ? lists_.degree(v) : other(v); }
  EdgeIndex out(Vertex v) const { return along_in_ ? other(v) : lists_.degree(v); }

 private:
  bool is_symmetric() const { return others_ == nullptr && received_.empty(); }
  EdgeIndex other(Vertex v) const {
    return others_ != nullptr  ? others_->degree(v)
           : received_.empty() ? lists_.degree(v)
                               : received_[v];
  }

  const Adjacency& lists_;
  bool along_in_ = false;
  const Adjacency* others_ = nullptr;
  std::vector<EdgeIndex> received_;
};

/// Vertices by importance, equal ones in any order, so that any share of them has a threshold.
class Ranking {
 public:
  using Rank = std::pair<double, std::uint32_t>;

  Ranking(const Graph& graph, const Adjacency& lists, const VertexImportance& importance)
      : degrees_(graph, lists), importance_(importance) {}

  double importance(Vertex v) const {
    if (importance_.of == nullptr) return static_cast<double>(degrees_.all(v));
    const double found =
        importance_.of(importance_.inputs.data(), v, degrees_.in(v), degrees_.out(v));
    // What is no number has no place among others.
    return found == found ? found : -std::numeric_limits<double>::infinity();
  }
  Rank operator()(Vertex v) const { return {importance(v), mixed(v)}; }

 private:
  Degrees degrees_;
  const VertexImportance& importance_;
};

/// What a vertex has to exceed so that about the wanted share of all do; nothing where all are to.
std::optional<Ranking::Rank> find_threshold(const Ranking& ranking, Vertex vertices,
                                            const PathSketch& chosen) {
  const auto samples = static_cast<std::uint64_t>(
      std::clamp(std::ceil(chosen.sample_share * vertices), 1.0, double(vertices)));
  std::vector<Ranking::Rank> found(samples);
  // With all vertices sampled each is there once.
#pragma omp parallel for schedule(static) if (samples >= kFew)
  for (std::uint64_t i = 0; i < samples; ++i) {
    const auto any =
        static_cast<Vertex>(std::uint64_t{mixed(static_cast<std::uint32_t>(i))} * vertices >> 32);
    found[i] = ranking(samples == vertices ? static_cast<Vertex>(i) : any);
  }
  const auto wanted = static_cast<std::uint64_t>(
      std::max(1.0, std::round(chosen.hub_share * static_cast<double>(samples))));
  if (wanted >= samples) return std::nullopt;
  const auto at = found.begin() + static_cast<std::ptrdiff_t>(wanted);
  std::ranges::nth_element(found, at, std::greater<>());
  return *at;
}

std::vector<std::uint8_t> find_hubs(const Graph& graph, const Adjacency& lists,
                                    const VertexImportance& importance, PathSketch& sketch) {
  const Ranking ranking(graph, lists, importance);
  const Vertex vertices = graph.vertex_count;
  std::vector<std::uint8_t> is_hub(vertices, 1);
  if (const auto threshold = find_threshold(ranking, vertices, sketch)) {
#pragma omp parallel for schedule(static) if (vertices >= kFew)
    for (std::size_t v = 0; v < vertices; ++v)
      is_hub[v] = ranking(static_cast<Vertex>(v)) > *threshold ? 1 : 0;
  }
  sketch.hub_importance = std::numeric_limits<double>::infinity();
  for (Vertex v = 0; v < vertices; ++v) {
    if (is_hub[v] == 0) continue;
    sketch.hubs.push_back(v);
    sketch.hub_importance = std::min(sketch.hub_importance, ranking.importance(v));
  }
  if (sketch.hubs.empty()) sketch.hub_importance = 0;
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
  sketch.of = edges;
  sketch.edges_per_part = chosen.edges_per_part;
  sketch.hub_share = chosen.hub_share;
  sketch.sample_share = chosen.sample_share;
  sketch.hub_turns = chosen.hub_turns;
  if (graph.vertex_count == 0) return sketch;
  await_lists(graph);
  const std::vector<std::uint8_t> is_hub = find_hubs(graph, lists, chosen.importance, sketch);
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

namespace {

/// What is stored is of the out-edges, of hubs of the greatest degree, and made in parts of the
/// usual size.
bool is_wanted(const Graph& graph, const Adjacency& lists, PathEdges edges,
               const SketchOptions& wanted) {
  const PathSketch* const stored = graph.prepared.paths.get();
  return stored != nullptr && wanted.importance.of == nullptr && &lists == &graph.out &&
         stored->of == edges && stored->hub_share == wanted.hub_share &&
         stored->sample_share == wanted.sample_share &&
         stored->edges_per_part == wanted.edges_per_part &&
         (!wanted.keep_edges || stored->edges.size() == stored->vertices.size());
}

}  // namespace

WalkedPaths::WalkedPaths(const Graph& graph, const Adjacency& lists, PathEdges edges,
                         const SketchOptions& options) {
  const SketchOptions wanted = derived_options(graph, options);
  hub_turns_ = wanted.hub_turns;
  if (is_wanted(graph, lists, edges, wanted))
    stored_ = graph.prepared.paths;
  else
    made_ = sketch_paths(graph, lists, edges, wanted);
}

std::string WalkedPaths::described(Vertex vertices) const {
  const PathSketch& paths = **this;
  return fmt::format(
      "{} hubs of {} (share {:.3g}, sample {:.3g}), of importance {:.6g} and more; {} between hubs "
      "with {}, walked {} a step, and {} others with {}{}{}",
      grouped(paths.hubs.size()), counted(vertices, "vertex", "vertices"), paths.hub_share,
      paths.sample_share, paths.hub_importance, counted(paths.hub.paths, "path"),
      counted(paths.hub.edges, "edge"), counted(hub_turns_, "time"), grouped(paths.cold.paths),
      counted(paths.cold.edges, "edge"),
      paths.of == PathEdges::Pairs ? "; an edge and its reverse are one" : "",
      stored_ ? "; all of them from the file" : "");
}

}  // namespace vertigo::graph
