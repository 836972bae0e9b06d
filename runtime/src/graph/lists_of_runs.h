#pragma once
// From the entries of a file, their ids mapped, to lists.

#include "raw_graph.h"

namespace vertigo::graph {

/// The entries as lists, which ascend unless the file's sources did: then they are as the file has
/// them. The runs are gone afterwards. Throws ExitCode::OutOfMemory.
Adjacency lists_of_runs(RawGraph& raw, Vertex vertex_count, bool keep_weights);

}  // namespace vertigo::graph
