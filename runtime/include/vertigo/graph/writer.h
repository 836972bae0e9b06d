#pragma once
// Writing graphs in the formats that others read. Every file appears whole or not at all.

#include <optional>
#include <string>
#include <vector>

#include "vertigo/core/atomic_file.h"
#include "vertigo/graph/graph.h"

namespace vertigo::graph {

enum class OutputFormat : std::uint8_t {
  EdgeList,          ///< "u v", ids of the input; both directions of an undirected edge
  WeightedEdgeList,  ///< "u v w"
  Csv,               ///< header and edges; ids of the input, both directions
  Tsv,
  GraphMl,       ///< nodes and edges, ids of the input; an undirected edge once
  MatrixMarket,  ///< symmetric graphs as symmetric, lower triangle; ids become 1..n
  Dimacs,        ///< "p sp", ids become 1..n
  Gap,           ///< .sg, ids become 0..n-1
  WeightedGap,   ///< .wsg, weights must be whole and fit 32 bits
  Graphalytics,  ///< NAME.v and NAME.e, ids of the input; an undirected edge once
  Metis,         ///< symmetric graphs only, without self loops; ids become 1..n
  Bel,           ///< BELGRAPH, ids become 0..n-1; weights must be whole and fit unsigned 32 bits
  Cached,        ///< everything as it is
};

/// Names as --format takes them: "edge-list", "weighted-edge-list", "matrix-market", ...
std::optional<OutputFormat> output_format_named(const std::string& name);
std::vector<std::string> output_format_names();

/// By the ending of the file's name, with .gz or .zst behind it or not: .el .wel .txt .csv .tsv
/// .graphml .mtx .gr .sg .wsg .e .v .graph .metis .bel .vgg; nothing for others.
std::optional<OutputFormat> output_format_of(const std::string& path);

struct WriteOptions {
  OutputFormat format = OutputFormat::EdgeList;
  OverwriteRule overwrite = OverwriteRule::RegularOnly;
};

/// The files that write_graph writes: two for the Graphalytics form.
std::vector<std::string> written_files(const std::string& path, const WriteOptions& options);

/// Writes `graph` to `path`, compressed where the name ends with .gz or .zst. An edge without a
/// weight gets 1 where the format has weights. Returns what a user should know: vertices whose
/// place was lost, ids that changed. Throws ExitCode::OutputFailed, and ExitCode::Usage where the
/// format cannot hold this graph.
std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     const WriteOptions& options);

}  // namespace vertigo::graph
