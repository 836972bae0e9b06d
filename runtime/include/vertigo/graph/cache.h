#pragma once
// Our own binary form: what a graph is in memory, written as it is, with a checksum for each part.
// Reading verifies every byte; it is meant for graphs that are used more than once.

#include <string>

#include "vertigo/core/atomic_file.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// What a graph was made of, for whoever looks for the cached form of a file (graph_cache.h).
struct CachedOrigin {
  std::string key;     ///< the files and how they were read
  std::string intake;  ///< the intake report as JSON
};

/// Writes the graph, with its in-adjacency where it has one. With an origin the file says what it
/// was made of, and is not brought to the disk at once: it can be made again. Throws
/// ExitCode::OutputFailed.
void write_cached(const Graph& graph, const std::string& path, const CachedOrigin& origin);
void write_cached(const Graph& graph, const std::string& path,
                  OverwriteRule rule = OverwriteRule::RegularOnly);

}  // namespace vertigo::graph
