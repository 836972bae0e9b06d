#pragma once
// Whether searches on a graph go deep: through hundreds of levels of few vertices, as on road
// networks, instead of through a handful of large ones. Included by generated CUDA files, so it
// names the graph and no more.

namespace vertigo::graph {

struct Graph;

/// Lists of at most a few neighbours, none long, and a breadth-first search over a bounded number
/// of edges that passes a hundred levels. A matter of milliseconds; no answer depends on it.
bool is_deep(const Graph& graph);

}  // namespace vertigo::graph
