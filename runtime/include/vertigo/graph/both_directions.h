#pragma once
// The graph of all edges and their reverses. Included by generated CUDA files, so it names the
// graph and no more.

namespace vertigo::graph {

struct Graph;

/// Every edge of `graph` and, beside it, its reverse with the same weight or record: a symmetric
/// graph of twice the edges, in which the list of a vertex holds its out-edges and its in-edges,
/// merged by neighbour. An edge whose reverse is there already is kept beside it, and a self loop
/// is there twice. The graph has its in-edges (build_transpose).
Graph both_directions(const Graph& graph);

}  // namespace vertigo::graph
