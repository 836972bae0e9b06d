#pragma once
// From a list of edges to a Graph: sorted adjacency by a stable parallel counting sort, with stated
// policies for self loops, duplicates and symmetry. The result does not depend on the number of
// threads.

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// Weights while a graph is built: the alternatives of Weights, as vectors that are written.
using WeightVectors =
    std::variant<std::monostate, std::vector<std::int32_t>, std::vector<std::int64_t>,
                 std::vector<std::uint32_t>, std::vector<std::uint64_t>, std::vector<float>,
                 std::vector<double>>;

/// Edges by internal vertex ids, in any order.
struct EdgeList {
  Vertex vertex_count = 0;
  std::vector<Vertex> sources;
  std::vector<Vertex> targets;  ///< as many as sources
  WeightVectors weights;        ///< as many as sources, or none
};

enum class SelfLoopPolicy : std::uint8_t { Keep, Drop };

/// What becomes of parallel edges. First: the one that comes first in the input; on a weighted
/// graph that is made symmetric it has no meaning (the two directions may disagree) and is refused
/// as ExitCode::Usage.
enum class DuplicatePolicy : std::uint8_t { Keep, First, Min, Max, Sum };

struct BuildOptions {
  SelfLoopPolicy self_loops = SelfLoopPolicy::Keep;
  DuplicatePolicy duplicates = DuplicatePolicy::Keep;
  /// Adds the missing reverse edges: afterwards u->v with weight w is there exactly as often as
  /// v->u with weight w, namely as often as the more frequent of the two was before. Comes before
  /// the policy for duplicates.
  bool symmetrize = false;
  const IdMap* ids = nullptr;  ///< ids for messages; nothing: internal ones
};

/// What the build saw and changed; directed edges throughout.
struct BuildCounts {
  EdgeIndex self_loops = 0;  ///< seen
  EdgeIndex duplicates = 0;  ///< seen: edges beyond the first of each (source, target)
  EdgeIndex dropped_self_loops = 0;
  EdgeIndex merged_duplicates = 0;
  EdgeIndex added_reverse_edges = 0;
};

/// Adjacency with rows ascending by target, parallel edges in the order of the list. Ids must be in
/// range.
Adjacency sort_edges(EdgeList edges);

/// Builds a graph with contiguous ids from 0. Throws ExitCode::InputRefused where merging by sum
/// overflows the weight type.
Graph build_graph(EdgeList edges, const BuildOptions& options = {}, BuildCounts* counts = nullptr);

/// The same from an adjacency whose rows may be in any order.
Graph build_graph(Vertex vertex_count, Adjacency adjacency, const BuildOptions& options = {},
                  BuildCounts* counts = nullptr);

/// The reverse of every edge, rows ascending. Deterministic: parallel edges keep their order.
Adjacency transpose(Vertex vertex_count, const Adjacency& adjacency);

/// A directed edge that breaks a property, by internal ids.
struct Edge {
  Vertex source = 0;
  Vertex target = 0;
};

/// The first edge (by source, then target) whose reverse with the same weight is missing or less
/// frequent; nothing where the graph is symmetric.
std::optional<Edge> find_asymmetry(Vertex vertex_count, const Adjacency& adjacency);

/// Whether there is none, by sums (row_facts.h): true is wrong once in 2^64 times, and false where
/// weights are equal in value but not in their bits. Most graphs that are not symmetric are known
/// by their first edges.
bool is_symmetric(Vertex vertex_count, const Adjacency& adjacency);

}  // namespace vertigo::graph
