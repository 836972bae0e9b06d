#pragma once
// Texts that a device parses (vertigo/graph/reading_device.h), between readers and assemble().

#include "assemble.h"
#include "raw_graph.h"
#include "text_blocks.h"

namespace vertigo::graph {

/// Has the device of the context, where there is one, parse the rest of the file. `shape` says what
/// its lines are. Throws DeviceDoubt.
bool parse_on_device(TextBlocks& blocks, const ReadContext& context, EdgeText shape, RawGraph& raw);

/// The ids that runs or the edges of a device name.
IdRange id_range(const RawGraph& raw);
IdIndex index_of_appearing(const RawGraph& raw);

/// The lists of a device's edges, by vertices. Throws DeviceDoubt where an edge names none of them.
Adjacency lists_of_device(RawGraph& raw, const ReadContext& context, Vertex vertices,
                          const IdIndex* index, std::uint64_t shift);

}  // namespace vertigo::graph
