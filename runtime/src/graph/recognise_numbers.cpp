// Formats that are lines of numbers and do not say which they are: edge lists, METIS, adjacency
// lines. Their verdicts rest on how many numbers the lines have, and on whether edges stand at both
// of their ends. Edge lists may name their vertices by words, too.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "recognise.h"

namespace vertigo::graph {
namespace {

using VertexPair = std::pair<std::uint64_t, std::uint64_t>;

bool starts_number(std::string_view word) {
  const char c =
      word.front() == '-' || word.front() == '+' ? (word.size() > 1 ? word[1] : 'x') : word.front();
  return (c >= '0' && c <= '9') || c == '.';
}

std::size_t count_of_width(const Sample& sample, std::size_t width) {
  return static_cast<std::size_t>(
      std::count_if(sample.data().begin(), sample.data().end(),
                    [&](const SampleLine& line) { return line.words.size() == width; }));
}

/// Lines that stray from what all others do are few: at most half of them in the smallest of files,
/// else a tenth.
bool are_few(std::size_t strays, std::size_t lines) {
  return strays <= (lines < 10 ? lines / 2 : lines / 10);
}

/// Entries "v lists u", where both have a line: how many stand at both ends, and how many do not.
struct Mutuality {
  std::uint64_t mutual = 0;
  std::uint64_t one_sided = 0;
  /// A line names a vertex twice, or its own: as the weights of an edge list often do.
  bool repeated = false;

  bool all() const { return mutual > 0 && one_sided == 0 && !repeated; }
  bool many() const { return mutual > 0 && one_sided <= mutual && !repeated; }
  bool most() const { return mutual > 0 && one_sided <= 2 + mutual / 10 && one_sided <= mutual; }
};

template <class HasLine>
Mutuality mutuality_of(std::vector<VertexPair> entries, const HasLine& has_line) {
  Mutuality result;
  std::sort(entries.begin(), entries.end());
  result.repeated = std::adjacent_find(entries.begin(), entries.end()) != entries.end();
  for (const auto& [vertex, neighbour] : entries) {
    result.repeated = result.repeated || vertex == neighbour;
    if (!has_line(neighbour)) continue;
    const bool found =
        std::binary_search(entries.begin(), entries.end(), VertexPair{neighbour, vertex});
    ++(found ? result.mutual : result.one_sided);
  }
  return result;
}

struct MetisHeader {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::size_t skipped = 0;  // words in front of the neighbours
  std::size_t stride = 1;   // words of a neighbour
};

std::optional<MetisHeader> metis_header(std::span<const std::string_view> words) {
  if (words.size() < 2 || words.size() > 4) return std::nullopt;
  const auto vertices = whole_number(words[0]);
  const auto edges = whole_number(words[1]);
  const auto format = words.size() >= 3 ? whole_number(words[2]) : std::optional<std::uint64_t>(0);
  const auto constraints =
      words.size() == 4 ? whole_number(words[3]) : std::optional<std::uint64_t>(1);
  if (!vertices || !edges || !format || !constraints || *constraints > 1024) return std::nullopt;
  if (*format > 111 || *format % 10 > 1 || *format / 10 % 10 > 1) return std::nullopt;
  return MetisHeader{*vertices, *edges, *format / 100 + (*format / 10 % 10 == 1 ? *constraints : 0),
                     *format % 10 == 1 ? 2u : 1u};
}

struct MetisRows {
  std::uint64_t rows = 0;
  std::uint64_t blank_after = 0;  // lines behind the last row
  std::vector<VertexPair> entries;
  std::uint64_t bad_rows = 0;
  std::uint64_t first_bad_line = 0;
};

MetisRows metis_rows(const MetisHeader& header, std::span<const SampleLine> lines) {
  MetisRows result;
  for (const SampleLine& line : lines) {
    if (line.words.empty() && result.rows >= header.vertices) {
      ++result.blank_after;
      continue;
    }
    const std::uint64_t row = ++result.rows;
    if (line.words.empty()) continue;
    bool good = line.words.size() >= header.skipped &&
                (line.words.size() - header.skipped) % header.stride == 0;
    for (std::size_t w = header.skipped; good && w < line.words.size(); w += header.stride) {
      const auto neighbour = whole_number(line.words[w]);
      good = neighbour && *neighbour >= 1 && *neighbour <= header.vertices && *neighbour != row;
      if (good) result.entries.emplace_back(row, *neighbour);
    }
    if (!good && result.bad_rows++ == 0) result.first_bad_line = line.number;
  }
  return result;
}

}  // namespace

namespace {

/// Edges whose vertices are named by words: the first line shows whether ids are text, or is a
/// header; a third column is a number behind that.
bool names_vertices(const std::vector<SampleLine>& data) {
  const auto& first = data.front().words;
  if (starts_number(first[0]) && starts_number(first[1])) return false;
  return first.size() < 3 ||
         std::all_of(
             data.begin() + 1, data.end(),
             [](const SampleLine& line) { return starts_number(line.words[2]); });
}

}  // namespace

Verdict judge_edge_list(const Sample& sample) {
  const auto& data = sample.data();
  if (data.empty()) {
    const auto declares = [](std::string_view comment) {
      return comment.find("Nodes:") != std::string_view::npos;
    };
    if (sample.complete() &&
        std::any_of(sample.comments().begin(), sample.comments().end(), declares))
      return {score::kFits, "a comment that declares vertices, and no edges"};
    return {};
  }
  const std::size_t twos = count_of_width(sample, 2);
  const std::size_t threes = count_of_width(sample, 3);
  const std::size_t columns = twos >= threes ? 2 : 3;
  const std::size_t matching = std::max(twos, threes);
  if (matching == 0) return {};
  const std::string every = fmt::format("{} columns on every line", columns);
  const auto stray = std::find_if(data.begin(), data.end(), [&](const SampleLine& line) {
    return line.words.size() != columns;
  });
  const auto words = std::find_if(data.begin(), data.end(), [](const SampleLine& line) {
    return std::any_of(line.words.begin(), line.words.end(),
                       [](std::string_view word) { return !starts_number(word); });
  });
  const bool numbers = starts_number(data.front().words[0]);
  if (stray == data.end() && words == data.end()) return {score::kShaped, every};
  if (stray == data.end() && names_vertices(data))
    return {score::kShaped, fmt::format("{}, vertices that are named by words", every)};
  if (stray == data.end())
    return {
        numbers ? score::kDamaged : score::kHint,
        fmt::format("{}, but line {} holds words in the place of numbers", every, words->number),
        words->number};
  const bool mended =
      numbers && (twos + threes == data.size() || are_few(data.size() - matching, data.size()));
  return {mended ? score::kDamaged : score::kHint,
          fmt::format("{} but line {}, which has {}", every, stray->number, stray->words.size()),
          stray->number};
}

Verdict judge_metis(const Sample& sample) {
  if (sample.data().empty()) return {};
  const SampleLine& first = sample.data().front();
  const auto header = metis_header(first.words);
  if (!header) return {};
  const auto after =
      std::find_if(sample.lines().begin(), sample.lines().end(),
                   [&](const SampleLine& line) { return line.number > first.number; });
  const MetisRows found = metis_rows(*header, {after, sample.lines().end()});
  // An edge list whose first line is taken for a header soon has too many lines.
  if (found.rows > header->vertices || found.entries.size() > 2 * header->edges) return {};
  const Mutuality mutuality =
      mutuality_of(found.entries, [&](std::uint64_t vertex) { return vertex <= found.rows; });
  // The line of a last vertex without neighbours vanishes together with a missing final line end.
  const bool counts_agree =
      found.rows + 1 >= header->vertices && found.entries.size() == 2 * header->edges;
  if (found.bad_rows > 0) {
    if (!are_few(found.bad_rows, found.rows) || !mutuality.most()) return {};
    return {score::kDamaged,
            fmt::format("a METIS header and lists that agree, but not on line {}",
                        found.first_bad_line),
            found.first_bad_line};
  }
  if (!sample.complete()) {
    if (mutuality.all()) return {score::kCounted, "a header that all lines respect"};
    const bool even = count_of_width(sample, first.words.size()) == sample.data().size();
    if (mutuality.one_sided > 0 && !mutuality.most()) return {};
    return {even ? score::kHint : score::kFits, "a header that no line contradicts"};
  }
  if (counts_agree && mutuality.all())
    return {score::kCounted, "a header whose counts agree, and every edge at both of its ends"};
  if (header->edges == 0 && header->vertices > 1 && found.rows == header->vertices)
    return {score::kCounted, "a header that declares no edges, and a blank line for every vertex"};
  if (counts_agree && mutuality.most())
    return {score::kDamaged, "a header whose counts agree, but not every edge at both of its ends"};
  const std::string short_of = fmt::format(
      "a header of {} vertices and {} edges, but lines for {} and {} of {} entries",
      header->vertices, header->edges, found.rows, found.entries.size(), 2 * header->edges);
  if (mutuality.most()) return {score::kDamaged, short_of, first.number};
  // Without any line that names a vertex: any edge list of one line would do.
  if (mutuality.one_sided > 0 || found.entries.empty()) return {};
  return {score::kSuspect, short_of, first.number};
}

Verdict judge_adjacency(const Sample& sample) {
  const auto& data = sample.data();
  std::vector<std::uint64_t> vertices;
  std::vector<VertexPair> entries;
  std::size_t fewest = ~std::size_t{0};
  std::size_t most = 0;
  for (const SampleLine& line : data) {
    fewest = std::min(fewest, line.words.size());
    most = std::max(most, line.words.size());
    for (std::size_t w = 0; w < line.words.size(); ++w) {
      const auto id = whole_number(line.words[w]);
      if (!id) return {};
      if (w == 0) {
        vertices.push_back(*id);
      } else {
        entries.emplace_back(vertices.back(), *id);
      }
    }
  }
  // Lines of two numbers mean the same in an edge list.
  if (most < 2 || (fewest == 2 && most == 2)) return {};
  std::sort(vertices.begin(), vertices.end());
  if (std::adjacent_find(vertices.begin(), vertices.end()) != vertices.end()) return {};
  const Mutuality mutuality = mutuality_of(std::move(entries), [&](std::uint64_t vertex) {
    return sample.complete() || std::binary_search(vertices.begin(), vertices.end(), vertex);
  });
  // Three numbers throughout may be an edge and its weight, which is easily another vertex's id.
  const bool even = fewest == 3 && most == 3;
  if ((even ? mutuality.all() : mutuality.many() && (fewest == 1 || most > 3)))
    return {score::kCounted,
            fmt::format("one line for each vertex, and {} edges at both of their ends",
                        mutuality.one_sided == 0 ? "all" : "many")};
  if (even) return {};
  return {score::kFits, fewest == most ? "one line for each vertex"
                                       : "lines of differing length, one for each vertex"};
}

Verdict judge_vertex_list(const Sample& sample) {
  const auto& data = sample.data();
  const bool single = !data.empty() && count_of_width(sample, 1) == data.size() &&
                      whole_number(data.front().words[0]);
  if (!single) return {};
  return {score::kHint,
          "one number per line: a list of vertices (.v) needs its edges (.e) beside it under the "
          "same name"};
}

}  // namespace vertigo::graph
