#include "vertigo/graph/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "vertigo/core/error.h"
#include "vertigo/graph/cache.h"
#include "vertigo/graph/device_lists.h"
#include "writers.h"

namespace vertigo::graph {
namespace {

struct FormatEntry {
  OutputFormat format;
  const char* name;
  std::array<const char*, 2> endings;
};
constexpr std::array kFormats = {
    FormatEntry{OutputFormat::EdgeList, "edge-list", {".el", ".txt"}},
    FormatEntry{OutputFormat::WeightedEdgeList, "weighted-edge-list", {".wel", ""}},
    FormatEntry{OutputFormat::Csv, "csv", {".csv", ""}},
    FormatEntry{OutputFormat::Tsv, "tsv", {".tsv", ""}},
    FormatEntry{OutputFormat::GraphMl, "graphml", {".graphml", ""}},
    FormatEntry{OutputFormat::MatrixMarket, "matrix-market", {".mtx", ""}},
    FormatEntry{OutputFormat::Dimacs, "dimacs", {".gr", ""}},
    FormatEntry{OutputFormat::Gap, "gap", {".sg", ""}},
    FormatEntry{OutputFormat::WeightedGap, "weighted-gap", {".wsg", ""}},
    FormatEntry{OutputFormat::Graphalytics, "graphalytics", {".e", ".v"}},
    FormatEntry{OutputFormat::Metis, "metis", {".graph", ".metis"}},
    FormatEntry{OutputFormat::Bel, "bel", {".bel", ""}},
    FormatEntry{OutputFormat::Cached, "cached", {".vgg", ""}},
};

std::string_view without_compression(std::string_view path) {
  for (const std::string_view suffix : {".gz", ".zst"}) {
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  }
  return path;
}

// NAME, NAME.v, NAME.e, NAME.e.zst: the pair NAME.v and NAME.e, both compressed where the given
// name is.
std::array<std::string, 2> pair_of(const std::string& path) {
  std::string_view stem = without_compression(path);
  const std::string suffix(path.substr(stem.size()));
  if (stem.ends_with(".v") || stem.ends_with(".e")) stem.remove_suffix(2);
  return {fmt::format("{}.v{}", stem, suffix), fmt::format("{}.e{}", stem, suffix)};
}

void write_pair(const Graph& graph, const std::string& path, OverwriteRule rule) {
  const auto names = pair_of(path);
  OutputSink vertices(names[0], rule);
  OutputSink edges(names[1], rule);
  write_graphalytics_vertices(graph, vertices);
  write_graphalytics_edges(graph, edges);
  vertices.finish();  // one of the two alone is no graph
  edges.finish();
  vertices.commit();
  edges.commit();
}

bool is_list(OutputFormat format) {
  return format == OutputFormat::EdgeList || format == OutputFormat::WeightedEdgeList ||
         format == OutputFormat::Csv || format == OutputFormat::Tsv;
}

bool keeps_ids(const Graph& graph, OutputFormat format) {
  return is_list(format) || format == OutputFormat::GraphMl || format == OutputFormat::Cached ||
         (format == OutputFormat::Graphalytics && !graph.ids.is_text());
}

// The id of the first vertex in formats that number vertices themselves.
std::uint64_t base_of(OutputFormat format) {
  const bool from_zero = format == OutputFormat::Gap || format == OutputFormat::WeightedGap ||
                         format == OutputFormat::Bel || format == OutputFormat::Graphalytics;
  return from_zero ? 0 : 1;
}

std::vector<std::string> notes_on(const Graph& graph, OutputFormat format) {
  std::vector<std::string> notes;
  if (graph.vertex_count == 0) return notes;
  if (!keeps_ids(graph, format)) {
    const std::uint64_t base = base_of(format);
    if (!graph.ids.is_contiguous() || graph.ids.base() != base || graph.ids.is_text()) {
      notes.push_back(
          fmt::format("vertices are numbered anew: ids {} to {} became {} to {}, in the same order",
                      graph.ids.label(0), graph.ids.label(graph.vertex_count - 1), base,
                      base + graph.vertex_count - 1));
    }
  }
  const bool table = format == OutputFormat::Csv || format == OutputFormat::Tsv;
  if (is_list(format) && (table || graph.ids.is_text() || !graph.ids.is_contiguous())) {
    notes.emplace_back(
        "a list of edges cannot name vertices without any: those there are were lost");
  }
  const bool no_weights = format == OutputFormat::EdgeList || format == OutputFormat::Gap;
  if (no_weights && graph.has_weights())
    notes.emplace_back("the format has no weights: they were left out");
  const bool needs_weights = format == OutputFormat::WeightedEdgeList ||
                             format == OutputFormat::Dimacs ||
                             format == OutputFormat::WeightedGap || format == OutputFormat::Bel;
  if (needs_weights && !graph.has_weights())
    notes.emplace_back("the format needs weights: every edge got 1");
  if (graph.symmetric && format == OutputFormat::Graphalytics) {
    notes.emplace_back("each undirected edge was written once: read the files with --undirected");
  }
  return notes;
}

}  // namespace

std::optional<OutputFormat> output_format_named(const std::string& name) {
  for (const FormatEntry& entry : kFormats) {
    if (entry.name == name) return entry.format;
  }
  return std::nullopt;
}

std::vector<std::string> output_format_names() {
  std::vector<std::string> names;
  for (const FormatEntry& entry : kFormats) names.emplace_back(entry.name);
  return names;
}

std::optional<OutputFormat> output_format_of(const std::string& path) {
  const std::string_view stem = without_compression(path);
  for (const FormatEntry& entry : kFormats) {
    for (const std::string_view ending : entry.endings) {
      if (!ending.empty() && stem.ends_with(ending)) return entry.format;
    }
  }
  return std::nullopt;
}

std::vector<std::string> written_files(const std::string& path, const WriteOptions& options) {
  if (options.format != OutputFormat::Graphalytics) return {path};
  const auto names = pair_of(path);
  return {names.begin(), names.end()};
}

std::vector<std::string> write_graph(const Graph& graph, const std::string& path,
                                     const WriteOptions& options) {
  await_all(graph);
  if (options.format == OutputFormat::Cached) {
    if (without_compression(path).size() != path.size()) {
      throw Error(ExitCode::Usage,
                  "the cached form lies in its file as in memory and cannot be compressed", path);
    }
    write_cached(graph, path, options.overwrite);
    return notes_on(graph, options.format);
  }
  if (options.format == OutputFormat::Graphalytics) {
    write_pair(graph, path, options.overwrite);
    return notes_on(graph, options.format);
  }
  OutputSink sink(path, options.overwrite);
  switch (options.format) {
    case OutputFormat::EdgeList:
      write_edge_list(graph, sink, false);
      break;
    case OutputFormat::WeightedEdgeList:
      write_edge_list(graph, sink, true);
      break;
    case OutputFormat::Csv:
      write_table(graph, sink, ',');
      break;
    case OutputFormat::Tsv:
      write_table(graph, sink, '\t');
      break;
    case OutputFormat::GraphMl:
      write_graphml(graph, sink);
      break;
    case OutputFormat::MatrixMarket:
      write_matrix_market(graph, sink);
      break;
    case OutputFormat::Dimacs:
      write_dimacs(graph, sink);
      break;
    case OutputFormat::Metis:
      write_metis(graph, sink);
      break;
    case OutputFormat::Gap:
      write_gap(graph, sink, false);
      break;
    case OutputFormat::WeightedGap:
      write_gap(graph, sink, true);
      break;
    case OutputFormat::Bel:
      write_bel(graph, sink);
      break;
    case OutputFormat::Graphalytics:
    case OutputFormat::Cached:
      break;  // done above
  }
  sink.commit();
  return notes_on(graph, options.format);
}

}  // namespace vertigo::graph
