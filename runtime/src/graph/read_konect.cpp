// KONECT: a header that says what the edges are, then "u v", "u v w" or "u v w t" per line; the
// time t is not part of the graph. In bipartite graphs the right side's vertices are counted from 1
// as the left side's are; ours follow the left ones.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "declared.h"
#include "konect_header.h"
#include "readers.h"
#include "scan.h"
#include "vertigo/core/number_text.h"

namespace vertigo::graph {
namespace {

struct Columns {
  std::size_t count = 0;
  std::array<std::string_view, 5> words;  // the first ones
};

Columns columns_of(std::string_view line) {
  Columns columns;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return columns;
    const char* const word = at;
    while (at != end && !is_blank(*at)) ++at;
    if (columns.count < columns.words.size())
      columns.words[columns.count] = {word, static_cast<std::size_t>(at - word)};
    ++columns.count;
  }
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// A number of any kind, whose value has no meaning here.
void skip_number(const char*& at, const char* expected) {
  skip_blanks(at);
  const char* const word = at;
  while (!is_blank(*at) && !at_line_end(at)) ++at;
  double value = 0;
  if (at == word) refuse_missing(expected);
  const auto [stop, error] = std::from_chars(word, at, value);
  if (error == std::errc::invalid_argument || stop != at)
    throw LineError{fmt::format("expected {}, found {}", expected, quote_word(word))};
}

// Entries of a graph without weights may give the weight 1.
void skip_one(const char*& at) {
  skip_blanks(at);
  if (*at != '1' || !(is_blank(at[1]) || at_line_end(at + 1)))
    throw LineError{
        fmt::format("the header says that edges have no weights, found {}", quote_word(at))};
  ++at;
}

struct Preamble {
  std::optional<KonectHeader> header;
  std::optional<KonectSizes> sizes;
  std::size_t columns = 0;
};

Preamble read_preamble(TextBlocks& blocks) {
  Preamble preamble;
  while (const auto line = blocks.next_line()) {
    const std::size_t first = line->find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if ((*line)[first] == '%' || (*line)[first] == '#') {
      if (blocks.line() == 1) preamble.header = konect_header(*line);
      if (blocks.line() == 2 && preamble.header) preamble.sizes = konect_sizes(*line);
      continue;
    }
    preamble.columns = columns_of(*line).count;
    blocks.unread_line(*line);
    break;
  }
  return preamble;
}

// Which of an entry's columns are read, and how.
struct Layout {
  std::uint64_t left;   // vertices that may stand in the first column
  std::uint64_t right;  // in the second
  std::size_t columns;
  bool weighted;
};

void parse_entries(TextBlocks& blocks, const ReadContext& context, RawGraph& raw, Layout layout) {
  parse_lines(blocks, context, raw.runs, [layout](const char*& at, EdgeRun& run) {
    if (*at == '%' || *at == '#') {
      skip_line(at);
      return;
    }
    const std::uint64_t source = scan_counted_id(at, "a source vertex", layout.left);
    const std::uint64_t target = scan_counted_id(at, "a target vertex", layout.right);
    run.add(source, target);
    if (layout.columns >= 3) {
      if (layout.weighted) {
        scan_weight(at, run);
      } else {
        skip_one(at);
      }
    }
    if (layout.columns == 4) skip_number(at, "a time");
    finish_line(at, "as many columns as on the first line");
  });
}

// How many vertices the entries name, where no header says it.
KonectSizes sizes_of(const std::vector<EdgeRun>& runs) {
  KonectSizes sizes;
  for (const EdgeRun& run : runs) {
    run.each([&](std::uint64_t source, std::uint64_t target, std::size_t) {
      sizes.left = std::max(sizes.left, source + 1);
      sizes.right = std::max(sizes.right, target + 1);
    });
  }
  return sizes;
}

void shift_targets(std::vector<EdgeRun>& runs, std::uint64_t by) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (std::uint32_t& target : runs[r].narrow_targets()) target += static_cast<std::uint32_t>(by);
  }
}

}  // namespace

std::optional<KonectHeader> konect_header(std::string_view line) {
  const Columns columns = columns_of(line);
  if (columns.count != 3 || columns.words[0] != "%") return std::nullopt;
  const std::string_view shape = columns.words[1];
  const std::string_view weights = columns.words[2];
  if (!one_of(shape, {"sym", "asym", "bip"}) ||
      !one_of(weights, {"unweighted", "positive", "posweighted", "signed", "multisigned",
                        "weighted", "multiweighted", "multiposweighted", "dynamic"}))
    return std::nullopt;
  return KonectHeader{shape == "sym"   ? KonectShape::Undirected
                      : shape == "bip" ? KonectShape::Bipartite
                                       : KonectShape::Directed,
                      weights != "unweighted"};
}

std::optional<KonectSizes> konect_sizes(std::string_view line) {
  const Columns columns = columns_of(line);
  if (columns.count != 4 || columns.words[0] != "%") return std::nullopt;
  std::array<std::uint64_t, 3> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string_view word = columns.words[i + 1];
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), counts[i]);
    if (error != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
  }
  return KonectSizes{counts[0], counts[1], counts[2]};
}

RawGraph read_konect(StreamPtr stream, const ReadContext& context) {
  TextBlocks blocks = text_blocks_of(std::move(stream), context);
  const Preamble preamble = read_preamble(blocks);
  const KonectHeader header = preamble.header.value_or(KonectHeader{});
  const bool bipartite = header.shape == KonectShape::Bipartite;
  if (preamble.columns == 0 && !preamble.sizes)
    throw refused_at_line(context.path, 0, "the file holds no edges");
  if (preamble.columns == 1 || preamble.columns > 4) {
    throw refused_at_line(context.path, blocks.line() + 1,
                          fmt::format("expected 'source target [weight [time]]', found {}",
                                      counted(preamble.columns, "column")));
  }
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.id_base = 1;
  raw.undirected = header.shape != KonectShape::Directed;
  raw.weighted = preamble.columns >= 3 && header.weighted;
  Layout layout{kMostVertices, kMostVertices, preamble.columns, raw.weighted};
  if (preamble.sizes) {
    raw.header_line = 2;
    raw.edges_declared = preamble.sizes->edges;
    // Graphs of one kind of vertices give their number twice.
    const std::uint64_t all = std::max(preamble.sizes->left, preamble.sizes->right);
    layout.left = std::min(bipartite ? preamble.sizes->left : all, kMostVertices);
    layout.right = std::min(bipartite ? preamble.sizes->right : all, kMostVertices);
  }
  parse_entries(blocks, context, raw, layout);
  require_edge_count(context, raw, raw.edge_count(), "edges");
  const KonectSizes sizes = preamble.sizes ? *preamble.sizes : sizes_of(raw.runs);
  raw.vertex_count = std::max(sizes.left, sizes.right);
  if (bipartite) {
    raw.vertex_count = sizes.left > kMostVertices || sizes.right > kMostVertices
                           ? kMostVertices + 1
                           : sizes.left + sizes.right;
  }
  if (raw.vertex_count > kMostVertices)
    throw refused_at_line(context.path, raw.header_line,
                          fmt::format("more than {} vertices are not supported", kMostVertices));
  if (preamble.sizes) raw.vertices_declared = raw.vertex_count;
  if (bipartite) {
    shift_targets(raw.runs, sizes.left);
    raw.notes.push_back(
        fmt::format("bipartite: vertices 1 to {} are the left side's, those of the "
                    "right side are {} greater than in the file",
                    sizes.left, sizes.left));
  }
  if (preamble.columns == 4) raw.notes.emplace_back("times, the fourth column, are not read");
  return raw;
}

}  // namespace vertigo::graph
