#pragma once
// What a program needs of a graph that no file stands behind.

#include "vertigo/graph/reader.h"

namespace vertigo::graph {

/// Throws Error(InputRefused) for the first violation, with the edge in ids of the input; the place
/// is the graph's name.
void check_requirements(const Graph& graph, const Requirements& requirements);

}  // namespace vertigo::graph
