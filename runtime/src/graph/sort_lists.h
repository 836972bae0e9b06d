#pragma once
// Lists in ascending order, and what is known of the reverse without making it.

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// The same edges, each list ascending by target; parallel edges keep their order.
Adjacency sort_lists(Vertex vertex_count, Adjacency adjacency);

}  // namespace vertigo::graph
