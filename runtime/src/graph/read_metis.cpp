// METIS: "n m [fmt [ncon]]", then one line per vertex with its neighbours, counted from 1. Every
// edge stands at both of its ends. A blank line is a vertex without neighbours. Vertex sizes and
// weights are skipped.

#include <fmt/format.h>

#include "declared.h"
#include "readers.h"
#include "scan.h"

namespace vertigo::graph {
namespace {

struct MetisHeader {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t skipped_columns = 0;  // vertex size and vertex weights in front of the neighbours
  bool edge_weights = false;
};

MetisHeader parse_header(const char* at) {
  MetisHeader header;
  header.vertices = scan_id(at, "the number of vertices");
  header.edges = scan_id(at, "the number of edges");
  require_vertex_range(header.vertices);
  skip_blanks(at);
  std::uint64_t format = 0;
  std::uint64_t constraints = 1;
  if (!at_line_end(at)) {
    const char* const word = at;
    format = scan_id(at, "the format");
    if (format > 111 || format % 10 > 1 || format / 10 % 10 > 1) {
      throw LineError{
          fmt::format("the format {} is not made of the digits 0 and 1", quote_word(word))};
    }
    skip_blanks(at);
    if (!at_line_end(at)) constraints = scan_id(at, "the number of vertex weights");
    if (constraints > 1024)
      throw LineError{fmt::format("{} vertex weights are out of range", constraints)};
  }
  finish_line(at, "'VERTICES EDGES [FORMAT [WEIGHTS]]'");
  header.edge_weights = format % 10 == 1;
  header.skipped_columns = (format / 100) + (format / 10 % 10 == 1 ? constraints : 0);
  return header;
}

// Rows were counted within each run; makes them the vertices of the file.
void number_rows(const ReadContext& context, RawGraph& raw) {
  std::uint64_t rows = 0;
  for (EdgeRun& run : raw.runs) {
    if (run.size() > 0 && rows + run.narrow_sources().back() >= raw.vertex_count) {
      throw refused_at_line(
          context.path, raw.header_line,
          fmt::format("the header declares {} vertices, the file holds lines for more",
                      raw.vertex_count));
    }
    for (std::uint32_t& source : run.narrow_sources()) source += static_cast<std::uint32_t>(rows);
    rows += run.rows();
  }
  // The line of a last vertex without neighbours vanishes together with a missing final line end.
  if (rows + 1 < raw.vertex_count) {
    throw refused_at_line(
        context.path, raw.header_line,
        fmt::format("the header declares {} vertices, the file holds lines for {}",
                    raw.vertex_count, rows));
  }
}

}  // namespace

RawGraph read_metis(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks(std::move(stream));
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.id_base = 1;
  raw.undirected = true;
  raw.both_directions = true;
  raw.rows_present = true;
  MetisHeader header;
  bool found = false;
  while (const auto line = blocks.next_line()) {
    const char* at = line->data();
    skip_blanks(at);
    if (at_line_end(at) || *at == '%') continue;
    try {
      header = parse_header(at);
    } catch (const LineError& error) {
      throw refused_at_line(context.path, blocks.line(), error.message);
    }
    found = true;
    break;
  }
  if (!found)
    throw refused_at_line(context.path, 0, "expected 'VERTICES EDGES', found the end of the file");
  raw.header_line = blocks.line();
  raw.vertex_count = header.vertices;
  raw.vertices_declared = header.vertices;
  raw.edges_declared = header.edges;
  raw.weighted = header.edge_weights;
  parse_lines(
      blocks, context, raw.runs,
      [header](const char*& at, EdgeRun& run) {
        if (*at == '%') {
          skip_line(at);
          return;
        }
        const std::uint64_t row = run.rows();
        run.add_row();
        skip_blanks(at);
        if (at_line_end(at)) {
          ++at;
          return;
        }
        for (std::uint64_t i = 0; i < header.skipped_columns; ++i)
          scan_id(at, "a vertex size or weight");
        skip_blanks(at);
        while (!at_line_end(at)) {
          run.add(row, scan_counted_id(at, "a neighbour", header.vertices));
          if (header.edge_weights) scan_weight(at, run);
          skip_blanks(at);
        }
        ++at;
      },
      /*blank_lines=*/true);
  number_rows(context, raw);
  const std::uint64_t entries = raw.edge_count();
  if (entries % 2 != 0 || entries / 2 != header.edges) {
    throw refused_at_line(
        context.path, raw.header_line,
        fmt::format("the header declares {} edges, so {} entries; the file holds {}", header.edges,
                    2 * header.edges, entries));
  }
  return raw;
}

}  // namespace vertigo::graph
