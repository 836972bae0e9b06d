#pragma once
// Figures that describe a graph: its degrees, its components, how far apart its vertices are.

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

struct DegreeStatistics {
  EdgeIndex least = 0;
  EdgeIndex most = 0;
  double mean = 0;
  /// The degree that 50, 90, 99 and 99.9 percent of the vertices do not exceed.
  std::array<EdgeIndex, 4> percentiles{};
  /// Share of all edges at the 1% of vertices (at least one) with the highest degree.
  double skew = 0;
};

struct Statistics {
  DegreeStatistics out;
  DegreeStatistics in;
  std::uint64_t isolated = 0;           ///< vertices without any edge
  std::uint64_t components = 0;         ///< weakly connected
  std::uint64_t largest_component = 0;  ///< vertices in it
  /// Lower bound on the diameter of the largest component, edges taken as undirected, from two
  /// sweeps of breadth-first search; exact on trees, and close on road networks.
  std::uint64_t diameter_at_least = 0;
  bool symmetric = false;  ///< verified
};

/// All figures; builds the in-adjacency of a directed graph.
Statistics compute_statistics(Graph& graph);

/// The component of each vertex, named by its smallest vertex; edges taken as undirected. Parallel
/// union-find.
std::vector<Vertex> weak_components(const Graph& graph);

/// Depth of a breadth-first search over out- and in-edges, and one of the vertices found last (the
/// smallest). Requires build_transpose().
struct Sweep {
  std::uint64_t depth = 0;
  Vertex last = 0;
  std::uint64_t reached = 0;
};
Sweep undirected_sweep(const Graph& graph, Vertex source);

std::string to_text(const Statistics& statistics);
nlohmann::json to_json(const Statistics& statistics);

}  // namespace vertigo::graph
