// Graphalytics: NAME.v lists the vertices, one id per line (what follows on the line is not part of
// the graph), NAME.e the edges, "u v" or "u v w". Ids are any 64-bit numbers. The files do not say
// whether the graph is directed.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "readers.h"
#include "scan.h"

namespace vertigo::graph {
namespace {

constexpr std::array<std::string_view, 4> kSuffixes = {"", ".zst", ".gz", ".xz"};

std::optional<std::string> existing(const std::string& stem, std::string_view kind) {
  for (const std::string_view suffix : kSuffixes) {
    std::string path = fmt::format("{}{}{}", stem, kind, suffix);
    if (::access(path.c_str(), F_OK) == 0) return path;
  }
  return std::nullopt;
}

}  // namespace

std::optional<GraphalyticsPair> find_graphalytics_pair(const std::string& path) {
  std::string stem = path;
  for (const std::string_view suffix : kSuffixes) {
    if (!suffix.empty() && stem.ends_with(suffix)) {
      stem.resize(stem.size() - suffix.size());
      break;
    }
  }
  if (stem.ends_with(".v") || stem.ends_with(".e")) {
    const bool names_vertices = stem.ends_with(".v");
    stem.resize(stem.size() - 2);
    const auto other = existing(stem, names_vertices ? ".e" : ".v");
    if (!other) return std::nullopt;
    return names_vertices ? GraphalyticsPair{path, *other} : GraphalyticsPair{*other, path};
  }
  if (::access(path.c_str(), F_OK) == 0) return std::nullopt;  // a file of its own
  const auto vertices = existing(path, ".v");
  const auto edges = existing(path, ".e");
  if (!vertices || !edges) return std::nullopt;
  return GraphalyticsPair{*vertices, *edges};
}

RawGraph read_graphalytics(const GraphalyticsPair& pair, ReadContext& context) {
  std::vector<std::uint64_t> ids;
  {
    context.path = pair.vertices;
    auto stream = InputStream::open(pair.vertices);
    stream->count_into(context.report.bytes_read);
    TextBlocks blocks(std::move(stream));
    std::vector<EdgeRun> runs;
    parse_lines(blocks, context, runs, [](const char*& at, EdgeRun& run) {
      if (*at == '#') {
        skip_line(at);
        return;
      }
      run.add_isolated(scan_id(at, "a vertex"));
      skip_line(at);
    });
    for (const EdgeRun& run : runs) {
      ids.insert(ids.end(), run.lone_vertices().begin(), run.lone_vertices().end());
    }
  }
  if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
  const auto repeated = std::adjacent_find(ids.begin(), ids.end());
  if (repeated != ids.end()) {
    throw refused_at_line(pair.vertices, 0, fmt::format("vertex {} is listed twice", *repeated));
  }
  context.path = pair.edges;
  auto stream = InputStream::open(pair.edges);
  stream->count_into(context.report.bytes_read);
  context.report.compression = stream->compression();
  RawGraph raw;
  char first = 0;
  if (stream->read(&first, 1) == 1) {  // an empty file of edges is a graph without any
    stream->unread({&first, 1});
    raw = read_edge_list(std::move(stream), context);
    if (raw.ids == IdSource::Named) {
      throw refused_at_line(pair.edges, 0, "the ids of a Graphalytics graph are numbers, not text");
    }
  }
  raw.ids = IdSource::Listed;
  raw.listed_ids = std::move(ids);
  raw.list_path = pair.vertices;
  raw.vertices_declared = raw.listed_ids.size();
  raw.edges_declared.reset();
  return raw;
}

}  // namespace vertigo::graph
