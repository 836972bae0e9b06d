#pragma once
// Files of the cached form whose edges are larger than the host's memory.

#include "cached_file.h"
#include "raw_graph.h"

namespace vertigo::graph {

/// The ids of a cached form.
IdMap read_cached_ids(CachedFile& file);

/// Reads everything but the edges, which stay in the file, where they take more memory than there
/// is or than ReadOptions::host_memory allows; false where they do not, and nothing was loaded.
/// Throws ExitCode::OutOfMemory where the options ask for what needs all edges at once.
bool read_on_file(const ReadContext& context, LoadedGraph& loaded);

}  // namespace vertigo::graph
