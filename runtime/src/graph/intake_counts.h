#pragma once
// The part of the intake report that follows from the finished graph.

#include "vertigo/graph/graph.h"
#include "vertigo/graph/intake.h"

namespace vertigo::graph {

/// Fills vertices, edges, ids, weights and degrees.
void count_intake(const Graph& graph, IntakeReport& report);

/// Share of all edges that leave the 1% of vertices (at least one) with the highest out-degree.
double degree_skew(const Graph& graph);

}  // namespace vertigo::graph
