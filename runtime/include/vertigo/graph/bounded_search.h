#pragma once
// How far a breadth-first search comes within so many edges: what is asked before a run, of few of
// the lists. A device that has the lists is asked where it knows.

#include <cstdint>
#include <limits>

#include "vertigo/core/scalar.h"

namespace vertigo::graph {

struct Adjacency;

/// A search ends before the level whose lists would reach `edges`, all in all, and behind as many
/// levels as `levels`.
struct SearchBounds {
  EdgeIndex edges = std::numeric_limits<EdgeIndex>::max();
  std::uint64_t levels = std::numeric_limits<std::uint64_t>::max();
};

struct BoundedSearch {
  std::uint64_t levels = 0;    ///< whose lists were all looked at
  std::uint64_t vertices = 0;  ///< of them, and of the level that had too many edges
  bool ended_early = false;    ///< there was such a level
};

BoundedSearch search_within(const Adjacency& lists, Vertex source, const SearchBounds& bounds);

}  // namespace vertigo::graph
