#pragma once
// Our own binary form: what a graph is in memory, written as it is, with a checksum for each part.
// Reading verifies every byte; it is meant for graphs that are used more than once.

#include <string>

#include "vertigo/core/atomic_file.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// Writes the graph, with its in-adjacency where it has one. Throws ExitCode::OutputFailed.
void write_cached(const Graph& graph, const std::string& path,
                  OverwriteRule rule = OverwriteRule::RegularOnly);

}  // namespace vertigo::graph
