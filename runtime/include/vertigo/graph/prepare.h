#pragma once
// Preparations: copies of a graph's lists in an order that makes runs faster, and what schedules
// lay out of a graph. They take time and memory once; the cached form keeps them (vertigo-graph
// convert --prepare).

#include <optional>
#include <string>
#include <vector>

#include "vertigo/graph/colouring.h"
#include "vertigo/graph/graph.h"
#include "vertigo/graph/path_sketch.h"

namespace vertigo::graph {

enum class Preparation : std::uint8_t {
  DegreeOrder,   ///< vertices numbered by descending out-degree, so that hubs come first everywhere
  WeightSorted,  ///< every list by ascending weight, so that a visit may stop early
  Paths,         ///< along the out-edges, with hubs of the greatest degrees (path_sketch.h)
  Colours,       ///< a class for every colour (colouring.h)
  FewColours,    ///< few classes and a rest
};

/// "degree-order", "weight-sorted", "paths", "colours", "few-colours".
const char* name_of(Preparation preparation);
std::optional<Preparation> preparation_named(const std::string& name);
std::vector<std::string> preparation_names();

/// Adds the copies to graph.prepared, for the in-adjacency too where there is one, and replaces
/// older ones. Sorting by weight leaves a graph without weights as it is. `paths`: which ones.
void prepare(Graph& graph, Preparation preparation, const SketchOptions& paths = {});

/// What is there, by name.
std::vector<std::string> prepared_names(const Graph& graph);

/// "paths between 6,553 hubs (share 0.025)", for a report.
std::string described(const PathSketch& stored);
/// "3 colour classes and a rest".
std::string described(const ColourClasses& stored);
/// Bytes that the cached form takes for them.
std::uint64_t stored_bytes(const PathSketch& paths);
std::uint64_t stored_bytes(const ColourClasses& classes);

}  // namespace vertigo::graph
