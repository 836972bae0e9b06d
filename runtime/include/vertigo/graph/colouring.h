#pragma once
// Colour classes: sets of vertices no two of which share an edge, so that all vertices of a class
// may run at once and each still finds its neighbours at rest.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// A class for every colour.
inline constexpr std::uint32_t kAllColours = ~std::uint32_t{0};
/// Most classes without neighbours that may stand before one with all others.
inline constexpr std::uint32_t kMostBeforeMixed = 31;

struct ColourClasses {
  std::vector<Vertex> vertices;     ///< all, class after class, ascending by id inside a class
  std::vector<std::size_t> begins;  ///< of each class in `vertices`, and behind the last one
  bool is_mixed = false;            ///< the last class holds neighbours

  std::size_t count() const { return begins.size() - 1; }
};

/// A proper colouring of the graph without its directions; edges from a vertex to itself are left
/// out of account. Greedy: vertices take the first colour that no neighbour has, by falling degree
/// (Welsh and Powell, 1967), so there are at most as many colours as the greatest degree and one.
/// All threads take part (Jones and Plassmann, 1993), and the result depends on the graph alone.
/// Takes about 28 bytes a vertex besides the result, and a transposed copy of the graph where that
/// is directed and has none.
///
/// With `most`, at most kMostBeforeMixed, colours from that one on are one class, the last (Frog's
/// hybrid colouring): those before it are the same as without.
ColourClasses colour_classes(const Graph& graph, std::uint32_t most = kAllColours);

}  // namespace vertigo::graph
