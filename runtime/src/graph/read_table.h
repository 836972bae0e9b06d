#pragma once
// Reading tables of edges: CSV, TSV, and edge lists whose vertices are named by text.

#include "raw_graph.h"
#include "table_layout.h"
#include "text_blocks.h"

namespace vertigo::graph {

/// Everything that is left in `blocks`.
void read_table(TextBlocks& blocks, const ReadContext& context, const TableSyntax& syntax,
                RawGraph& raw);

}  // namespace vertigo::graph
