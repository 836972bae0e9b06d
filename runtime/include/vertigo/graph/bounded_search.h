#pragma once
// How far a breadth-first search comes within so many edges: what is asked before a run, of few of
// the lists.

#include <cstdint>
#include <limits>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

struct BoundedSearch {
  std::uint64_t levels = 0;    ///< whose lists were all looked at
  std::uint64_t vertices = 0;  ///< of them, and of the level that was one too many
  bool ended_early = false;    ///< there was such a level
};

/// Ends before the level whose lists would reach `most_edges`, all in all, and behind as many
/// levels as `most_levels`: each costs a way to the device where that has the lists.
BoundedSearch search_within(const Adjacency& lists, Vertex source, EdgeIndex most_edges,
                            std::uint64_t most_levels = std::numeric_limits<std::uint64_t>::max());

}  // namespace vertigo::graph
