#pragma once
// Colour classes: sets of vertices no two of which share an edge, so that all vertices of a class
// may run at once and each still finds its neighbours at rest.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vertigo/core/colour_turn.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

using vertigo::kAllColours;
using vertigo::kDerivedColours;
using vertigo::kMostBeforeRest;

struct ColourClasses {
  std::vector<Vertex> vertices;     ///< all, class after class, ascending by id inside a class
  std::vector<std::size_t> begins;  ///< of each class in `vertices`, and behind the last one
  bool has_rest = false;            ///< the last class is the rest, which may hold neighbours

  std::size_t count() const { return begins.size() - 1; }
  /// Classes that hold no neighbours; the first ones.
  std::size_t independent() const { return count() - (has_rest ? 1 : 0); }
};

/// A proper colouring of the graph without its directions; edges from a vertex to itself are left
/// out of account. Greedy: vertices take the first colour that no neighbour has, by falling degree
/// (Welsh and Powell, 1967), so there are at most as many colours as the greatest degree and one.
/// All threads take part (Jones and Plassmann, 1993), and the result depends on the graph alone.
/// Takes about 28 bytes a vertex besides the result, and a transposed copy of the graph where that
/// is directed and has none.
///
/// With `most`, from 1 to kMostBeforeRest, or kDerivedColours: a hybrid colouring (Frog, section
/// 2). There are at most so many colours, and vertices that find none of them free are one class,
/// the last, in which there may be neighbours. Vertices take colours by rising degree then: hubs
/// wait for nobody's sake and find all colours taken, while of a star all but the hub are one
/// class. The first classes are the same whatever `most` is.
ColourClasses colour_classes(const Graph& graph, std::uint32_t most = kAllColours);

/// The classes that came with the graph, where it has such; else null. colour_classes() gives a
/// copy of them, so that all who ask take one order.
const ColourClasses* stored_classes(const Graph& graph, std::uint32_t most);

/// "3 classes (auto), which have 57,973 of 65,536 vertices; the others run in a step of their own",
/// for the summary of a run; `colours` as they were asked for.
std::string described(std::span<const std::size_t> begins, bool has_rest, std::uint32_t colours);

/// Two neighbours in one of the classes that are to hold none; nothing where the classes are right.
std::optional<std::pair<Vertex, Vertex>> neighbours_in_a_class(const Adjacency& lists,
                                                               const ColourClasses& classes);
inline std::optional<std::pair<Vertex, Vertex>> neighbours_in_a_class(
    const Graph& graph, const ColourClasses& classes) {
  return neighbours_in_a_class(graph.out, classes);
}

}  // namespace vertigo::graph
