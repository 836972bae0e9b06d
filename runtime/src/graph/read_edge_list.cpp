// Edge lists: "u v" or "u v w" per line, of numbers; those of words are read as tables. Lines that
// begin with # or % are comments; SNAP's "# Nodes: N Edges: M" is taken as a declaration.

#include <algorithm>
#include <charconv>
#include <string_view>

#include "declared.h"
#include "device_text.h"
#include "read_table.h"
#include "readers.h"
#include "record_scan.h"
#include "scan.h"
#include "table_layout.h"
#include "vertigo/core/number_text.h"

namespace vertigo::graph {
namespace {

// A count that is grouped by commas grows to no more than this and a group.
constexpr std::uint64_t kMostDeclared = ~std::uint64_t{0} / 1000 - 1;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number after the word `key` in a comment, as in "# Nodes: 82168 Edges: 948464".
std::optional<std::uint64_t> number_after(std::string_view comment, std::string_view key) {
  const std::size_t found = comment.find(key);
  if (found == std::string_view::npos || !(is_blank(comment[found - 1]) || found == 1))
    return std::nullopt;
  std::string_view rest = comment.substr(found + key.size());
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  std::uint64_t value = 0;
  const char* const end = rest.data() + rest.size();
  auto [stop, error] = std::from_chars(rest.data(), end, value);
  if (error == std::errc::result_out_of_range) return ~std::uint64_t{0};  // no file holds so many
  if (error != std::errc{}) return std::nullopt;
  // "2,000": a comma and three digits go on; "3, Edges: 2": a comma alone ends.
  while (end - stop >= 4 && *stop == ',' && std::all_of(stop + 1, stop + 4, is_digit) &&
         value <= kMostDeclared) {
    value = 1000 * value + static_cast<std::uint64_t>((stop[1] - '0') * 100 + (stop[2] - '0') * 10 +
                                                      (stop[3] - '0'));
    stop += 4;
  }
  if (stop != end && !is_blank(*stop) && *stop != ',') return std::nullopt;
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

// Whether a line of edges is a table's: vertices are named by words, or its columns are not the
// first three.
bool is_table(std::string_view line, const ReadOptions& options) {
  if (options.ids == IdKind::Text || !options.columns.empty()) return true;
  if (options.ids == IdKind::Numbers) return false;
  if (count_words(line) < 2) return false;
  for (int id = 0; id < 2; ++id) {
    line.remove_prefix(line.find_first_not_of(" \t\r"));
    const std::size_t end = line.find_first_of(" \t\r");
    if (!looks_like_number(line.substr(0, end))) return true;
    line.remove_prefix(std::min(end, line.size()));
  }
  return false;
}

struct Preamble {
  int columns = 0;  // of the first line with data; 0 where there is none
  bool table = false;
  bool text_ids = false;  // says our own comment
};

// Reads leading comments.
Preamble read_preamble(TextBlocks& blocks, const ReadOptions& options, RawGraph& raw) {
  Preamble preamble;
  while (const auto line = blocks.next_line()) {
    const std::size_t first = line->find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if ((*line)[first] == '#' || (*line)[first] == '%') {
      if (const auto nodes = number_after(*line, "Nodes:")) {
        raw.vertices_declared = nodes;
        raw.header_line = blocks.line();
      }
      if (const auto edges = number_after(*line, "Edges:")) raw.edges_declared = edges;
      if (const auto first = number_after(*line, "Ids from:")) raw.first_id_declared = first;
      if (line->ends_with("Ids: text") && options.ids == IdKind::Auto) preamble.text_ids = true;
      continue;
    }
    blocks.unread_line(*line);
    preamble.columns = count_words(*line);
    preamble.table = preamble.text_ids || is_table(*line, options);
    return preamble;
  }
  return preamble;
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
  TextBlocks blocks = text_blocks_of(std::move(stream), context);
  RawGraph raw;
  const auto [columns, table, text_ids] = read_preamble(blocks, context.options, raw);
  if (columns == 0) {
    if (raw.vertices_declared) {  // comments that declare an edgeless graph
      require_edge_count(context, raw, 0, "edges");
      return raw;
    }
    throw refused_at_line(context.path, 0, "the file holds no edges");
  }
  if (table) {
    if (context.device != nullptr)
      throw DeviceDoubt{"its vertices are words, or columns are chosen"};
    read_table(blocks, context, {{&kBlanks, 1}, text_ids}, raw);
    require_edge_count(context, raw, raw.edge_count(), "edges");
    const std::uint64_t named = raw.texts.size();
    if (raw.ids == IdSource::Named && raw.vertices_declared.value_or(named) < named) {
      throw refused_at_line(context.path, raw.header_line,
                            "a comment declares " + std::to_string(*raw.vertices_declared) +
                                " vertices, " + std::to_string(named) + " appear");
    }
    return raw;
  }
  if (columns != 2 && columns != 3) {
    throw refused_at_line(
        context.path, blocks.line() + 1,
        "expected 'source target' or 'source target weight', found " + counted(columns, "column"));
  }
  raw.weighted = columns == 3;
  EdgeText shape;
  if (raw.weighted) shape.weights = TextWeights::Any;
  if (parse_on_device(blocks, context, std::move(shape), raw)) {
    // The device has all of it.
  } else if (raw.weighted) {
    parse<true>(blocks, context, raw);
  } else {
    parse<false>(blocks, context, raw);
  }
  require_edge_count(context, raw, raw.edge_count(), "edges");
  return raw;
}

RawGraph read_adjacency_lines(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks = text_blocks_of(std::move(stream), context);
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
