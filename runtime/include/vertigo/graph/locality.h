#pragma once
// How close together the ids of neighbours are. Includes nothing of weight: generated CUDA files
// read it.

#include "vertigo/core/scalar.h"

namespace vertigo::graph {

struct Graph;

/// Of a sample of edges, those whose ends lie in the same tile of `tile` consecutive vertices. 0
/// where there is no edge.
double share_within_tiles(const Graph& graph, Vertex tile);

}  // namespace vertigo::graph
