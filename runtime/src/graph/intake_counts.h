#pragma once
// The part of the intake report that follows from the finished graph.

#include "vertigo/graph/graph.h"
#include "vertigo/graph/intake.h"

namespace vertigo::graph {

/// Fills vertices, edges, ids, weights and degrees.
void count_intake(const Graph& graph, IntakeReport& report);

}  // namespace vertigo::graph
