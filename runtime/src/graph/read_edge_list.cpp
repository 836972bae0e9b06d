// Edge lists: "u v" or "u v w" per line. Lines that begin with # or % are comments; SNAP's "#
// Nodes: N Edges: M" is taken as a declaration.

#include <charconv>
#include <string_view>

#include "readers.h"
#include "scan.h"

namespace vertigo::graph {
namespace {

// The number after `key` in a comment, as in "# Nodes: 82168 Edges: 948464".
std::optional<std::uint64_t> number_after(std::string_view comment, std::string_view key) {
  const std::size_t found = comment.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  std::string_view rest = comment.substr(found + key.size());
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc{} || stop == rest.data()) return std::nullopt;
  return value;
}

int count_words(std::string_view line) {
  int words = 0;
  bool inside = false;
  for (const char c : line) {
    const bool blank = is_blank(c);
    words += !blank && !inside;
    inside = !blank;
  }
  return words;
}

// Reads leading comments; returns the number of columns of the first line with data, 0 where there
// is none.
int read_preamble(TextBlocks& blocks, RawGraph& raw) {
  while (const auto line = blocks.next_line()) {
    const std::size_t first = line->find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if ((*line)[first] == '#' || (*line)[first] == '%') {
      if (const auto nodes = number_after(*line, "Nodes:")) raw.vertices_declared = nodes;
      if (const auto edges = number_after(*line, "Edges:")) raw.edges_declared = edges;
      if (const auto first = number_after(*line, "Ids from:")) raw.first_id_declared = first;
      continue;
    }
    blocks.unread_line(*line);
    return count_words(*line);
  }
  return 0;
}

template <bool kWeighted>
void parse(TextBlocks& blocks, const ReadContext& context, RawGraph& raw) {
  parse_lines(blocks, context, raw.runs, [](const char*& at, EdgeRun& run) {
    if (*at == '#' || *at == '%') {
      skip_line(at);
      return;
    }
    const std::uint64_t source = scan_id(at, "a source vertex");
    const std::uint64_t target = scan_id(at, "a target vertex");
    run.add(source, target);
    if constexpr (kWeighted) scan_weight(at, run);
    finish_line(at, kWeighted ? "'source target weight' as on the first line"
                              : "'source target' as on the first line");
  });
}

}  // namespace

RawGraph read_edge_list(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks(std::move(stream));
  RawGraph raw;
  const int columns = read_preamble(blocks, raw);
  if (columns == 0) {
    if (raw.vertices_declared) return raw;  // comments that declare an edgeless graph
    throw refused_at_line(context.path, 0, "the file holds no edges");
  }
  if (columns != 2 && columns != 3) {
    throw refused_at_line(context.path, blocks.line() + 1,
                          "expected 'source target' or 'source target weight', found " +
                              std::to_string(columns) + " columns");
  }
  raw.weighted = columns == 3;
  if (raw.weighted) {
    parse<true>(blocks, context, raw);
  } else {
    parse<false>(blocks, context, raw);
  }
  return raw;
}

RawGraph read_adjacency_lines(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks(std::move(stream));
  RawGraph raw;
  parse_lines(blocks, context, raw.runs, [](const char*& at, EdgeRun& run) {
    if (*at == '#' || *at == '%') {
      skip_line(at);
      return;
    }
    const std::uint64_t source = scan_id(at, "a vertex");
    skip_blanks(at);
    if (at_line_end(at)) run.add_isolated(source);
    while (!at_line_end(at)) {
      run.add(source, scan_id(at, "a neighbour"));
      skip_blanks(at);
    }
    ++at;
  });
  if (raw.runs.empty()) throw refused_at_line(context.path, 0, "the file holds no vertices");
  return raw;
}

}  // namespace vertigo::graph
