#pragma once
// Paths in chunks of columns (AsynGraph, TACO 2020, section 4.1.2). Private to the module.

#include <vector>

#include "follow_paths.h"

namespace vertigo::graph {

/// Fills in what `sketch` says of slots, chunks and paths, those between hubs first. Empties
/// `found`.
void lay_out(std::vector<PartPaths>& found, bool keep_edges, PathSketch& sketch);

}  // namespace vertigo::graph
