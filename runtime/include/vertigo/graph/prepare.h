#pragma once
// Preparations: copies of a graph's lists in an order that makes runs faster. They take time and
// memory once; the cached form keeps them (vertigo-graph convert --prepare).

#include <optional>
#include <string>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

enum class Preparation : std::uint8_t {
  DegreeOrder,   ///< vertices numbered by descending out-degree, so that hubs come first everywhere
  WeightSorted,  ///< every list by ascending weight, so that a visit may stop early
};

/// "degree-order", "weight-sorted".
const char* name_of(Preparation preparation);
std::optional<Preparation> preparation_named(const std::string& name);
std::vector<std::string> preparation_names();

/// Adds the copies to graph.prepared, for the in-adjacency too where there is one, and replaces
/// older ones. Sorting by weight leaves a graph without weights as it is.
void prepare(Graph& graph, Preparation preparation);

/// What is there, by name.
std::vector<std::string> prepared_names(const Graph& graph);

}  // namespace vertigo::graph
