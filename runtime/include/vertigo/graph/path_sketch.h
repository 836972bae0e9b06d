#pragma once
// The edges of a graph as paths, those between hubs apart from the others (Y. Zhang et al.,
// AsynGraph, TACO 2020, section 4.1): whoever walks along a path takes a value from its first
// vertex to its last in one go. Paths lie in chunks of columns, one column for each lane of a warp.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// What stands for an edge on a path.
enum class PathEdges : std::uint8_t {
  Arcs,   ///< an edge of the adjacency: from the vertex whose list it is in to the target
  Pairs,  ///< of a symmetric graph, an edge and its reverse together; loops stand for themselves
};

/// How important a vertex is: the hubs are those for which this is greatest. Values of vertices
/// come from arrays, one each; a null one has no values.
struct VertexImportance {
  using Function = double (*)(const void* const* inputs, Vertex v, EdgeIndex in_degree,
                              EdgeIndex out_degree);
  Function of = nullptr;  ///< null: its degree, in both directions
  std::vector<const void*> inputs = {};
};

struct SketchOptions {
  VertexImportance importance = {};
  double hub_share = 0;     ///< of all vertices (the paper's lambda); 0: derived from the graph
  double sample_share = 0;  ///< vertices whose importance sets the threshold (beta); 0: derived
  unsigned hub_turns = 0;   ///< walks along a hub chunk in each round (N_p); 0: derived
  /// Edges that one thread makes paths of by itself. The paths depend on it, and not on the number
  /// of threads.
  EdgeIndex edges_per_part = EdgeIndex{1} << 22;
  bool keep_edges = false;  ///< fill in PathSketch::edges
};

inline constexpr unsigned kPathLanes = 32;
inline constexpr unsigned kPathRows = 32;  ///< most of a chunk: a column's marks are one word
inline constexpr EdgeIndex kNoEdge = ~EdgeIndex{0};

struct PathTotals {
  std::uint64_t paths = 0;
  std::uint64_t edges = 0;
  std::uint64_t longest = 0;  ///< edges
  std::uint64_t pieces = 0;   ///< paths that a chunk had no room for lie in several
};

struct PathSketch {
  // What was chosen, by the user or from the graph.
  PathEdges of = PathEdges::Arcs;
  EdgeIndex edges_per_part = 0;
  double hub_share = 0;
  double sample_share = 0;
  unsigned hub_turns = 0;
  /// That the least important hub has; its degree, where nothing else was asked for.
  double hub_importance = 0;
  std::vector<Vertex> hubs;  ///< ascending

  // The paths. Row r of lane t in a chunk is slot begins[chunk] + r * kPathLanes + t.
  std::vector<Vertex> vertices;       ///< of every slot
  std::vector<EdgeIndex> edges;       ///< that leads to the slot from the row above, or kNoEdge
  std::vector<std::uint32_t> breaks;  ///< of every column: bit r: no edge leads to row r
  std::vector<std::uint64_t> begins;  ///< of chunks, and behind the last one
  std::uint32_t hub_chunks = 0;       ///< stand first
  PathTotals hub;                     ///< paths that begin and end at hubs, or branch off such ones
  PathTotals cold;                    ///< the others

  std::uint32_t chunks() const {
    return begins.empty() ? 0 : static_cast<std::uint32_t>(begins.size() - 1);
  }
  unsigned rows(std::uint32_t chunk) const {
    return static_cast<unsigned>((begins[chunk + 1] - begins[chunk]) / kPathLanes);
  }
  std::uint64_t bytes() const;
};

/// The share of hubs, the share of samples and the turns for a graph, where `asked` leaves them
/// open: the ranges are those of the paper's tables 4 and 5 and figure 15.
SketchOptions derived_options(const Graph& graph, const SketchOptions& asked);

/// Every edge in `lists` stands on exactly one path. `lists` are the out- or the in-adjacency of
/// `graph`; with `Pairs`, either. All threads take part, and the result depends on the graph and
/// the options alone. Reads the edges once, or twice where in-degrees have to be counted. Besides
/// the result it takes about 20 bytes for each vertex on a path, and for the parts that are being
/// made 8 bytes for each of their edges.
PathSketch sketch_paths(const Graph& graph, const Adjacency& lists, PathEdges edges,
                        const SketchOptions& options = {});

/// Paths that somebody walks, and how often those between hubs.
class WalkedPaths {
 public:
  WalkedPaths() = default;
  /// Those that came with the graph, where they are what is asked for; else they are made.
  WalkedPaths(const Graph& graph, const Adjacency& lists, PathEdges edges,
              const SketchOptions& options);

  const PathSketch& operator*() const { return stored_ ? *stored_ : made_; }
  const PathSketch* operator->() const { return &**this; }
  unsigned hub_turns() const { return hub_turns_; }
  /// Gives back PathSketch::edges, which nobody reads any more.
  void forget_edges() { std::vector<EdgeIndex>().swap(made_.edges); }
  /// "1,311 hubs of 262,144 vertices (share 0.005, sample 0.5), of importance 214 and more; …", for
  /// the summary of a run.
  std::string described(Vertex vertices) const;

 private:
  std::shared_ptr<const PathSketch> stored_;
  PathSketch made_;
  unsigned hub_turns_ = 0;
};

}  // namespace vertigo::graph
