#pragma once
// Where in its file an edge stands. Lines are not kept while reading: on the rare way to an error
// message, the file is read again.

#include <string>
#include <string_view>

#include "raw_graph.h"

namespace vertigo::graph {

/// "file:line" of the first entry source -> target (numbers of IdMap), for binary files
/// "file: edge K" with K counted from 1. Also finds the entry in the other order where edges are
/// undirected. `nth`: skips that many matching entries. The bare file where nothing is found.
std::string locate_entry(const ReadContext& context, std::uint64_t source, std::uint64_t target,
                         std::uint64_t nth = 0, bool negative_weight = false);

/// Throws InputRefused for the first violation of `requirements`; `suffix` ends the message.
void refuse_violation(const Graph& graph, const Requirements& requirements,
                      const ReadContext& context, std::string_view suffix);

/// Reads the entries of a file whose format is known: context.report.format.
RawGraph read_entries(ReadContext& context);

}  // namespace vertigo::graph
