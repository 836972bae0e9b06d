#pragma once
// The readers, one per format. Each takes a stream at the first byte of the data and gives the
// entries as they stand there; all throw ExitCode::InputRefused with the place.

#include <memory>
#include <optional>
#include <string>

#include "input_stream.h"
#include "raw_graph.h"

namespace vertigo::graph {

using StreamPtr = std::unique_ptr<InputStream>;

/// Says in the report which format the source has, in which files, and how that is known.
void detect_format(ReadContext& context);

RawGraph read_edge_list(StreamPtr stream, const ReadContext& context);
RawGraph read_adjacency_lines(StreamPtr stream, const ReadContext& context);
/// Fields separated by commas or semicolons, or by tabs.
RawGraph read_csv(StreamPtr stream, const ReadContext& context);
RawGraph read_tsv(StreamPtr stream, const ReadContext& context);
RawGraph read_graphml(StreamPtr stream, const ReadContext& context);
RawGraph read_konect(StreamPtr stream, const ReadContext& context);
RawGraph read_dimacs(StreamPtr stream, const ReadContext& context);
RawGraph read_pace(StreamPtr stream, const ReadContext& context);
RawGraph read_matrix_market(StreamPtr stream, const ReadContext& context);
RawGraph read_metis(StreamPtr stream, const ReadContext& context);
RawGraph read_galois(StreamPtr stream, const ReadContext& context);
RawGraph read_gap(StreamPtr stream, const ReadContext& context);
RawGraph read_bel(StreamPtr stream, const ReadContext& context);
/// Opens the file itself; the stream only gave the first bytes.
RawGraph read_cached(StreamPtr stream, const ReadContext& context);

/// The two files of a Graphalytics graph.
struct GraphalyticsPair {
  std::string vertices;
  std::string edges;
};
/// The pair that `path` names: one of the two files, or their common prefix. Nothing where a file
/// is missing.
std::optional<GraphalyticsPair> find_graphalytics_pair(const std::string& path);
RawGraph read_graphalytics(const GraphalyticsPair& pair, ReadContext& context);

}  // namespace vertigo::graph
