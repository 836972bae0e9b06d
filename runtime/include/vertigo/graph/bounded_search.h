#pragma once
// How far a breadth-first search comes within so many edges: what is asked before a run, of few of
// the lists.

#include <cstdint>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

struct BoundedSearch {
  std::uint64_t levels = 0;    ///< whose lists were all looked at
  std::uint64_t vertices = 0;  ///< of them, and of the level that was one too many
  bool ended_early = false;    ///< there was such a level
};

/// Ends before the level whose lists would reach `most_edges`, all in all.
BoundedSearch search_within(const Adjacency& lists, Vertex source, EdgeIndex most_edges);

}  // namespace vertigo::graph
