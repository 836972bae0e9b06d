// Which format a file has, from its first bytes. docs/graph-formats.md states these rules for
// users.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "cached_layout.h"
#include "readers.h"
#include "recognise_tables.h"
#include "scan.h"
#include "table_layout.h"

namespace vertigo::graph {
namespace {

std::uint64_t word_at(std::string_view head, std::size_t offset) {
  std::uint64_t value = 0;
  std::memcpy(&value, head.data() + offset, sizeof value);
  return value;
}

std::optional<Detection> detect_binary(std::string_view head) {
  if (head.starts_with(kCachedMagic)) return Detection{Format::Cached, "its first bytes", ""};
  if (head.starts_with("BELGRAPH")) return Detection{Format::Bel, "its first bytes", ""};
  if (head.find('\0') == std::string_view::npos) return std::nullopt;
  if (head.size() >= 16) {
    const std::uint64_t version = word_at(head, 0);
    const std::uint64_t edge_bytes = word_at(head, 8);
    if ((version == 1 || version == 2) && (edge_bytes == 0 || edge_bytes == 4 || edge_bytes == 8)) {
      return Detection{Format::Galois, fmt::format("a Galois header, version {}", version), ""};
    }
  }
  if (head.size() >= 17 && (head[0] == 0 || head[0] == 1) &&
      word_at(head, 1) <= (std::uint64_t{1} << 62) && word_at(head, 9) <= 0x7FFFFFFFu) {
    return Detection{Format::Gap, "a GAP header", ""};
  }
  return std::nullopt;
}

struct Line {
  std::vector<std::string_view> words;
};

// The lines of the sample that are not comments; blank ones are kept, they mean something in METIS.
std::vector<Line> sample_lines(std::string_view head, bool complete) {
  constexpr std::size_t kMostLines = 20000;
  std::vector<Line> lines;
  while (!head.empty() && lines.size() < kMostLines) {
    const std::size_t line_end = head.find('\n');
    if (line_end == std::string_view::npos && !complete) break;
    std::string_view text = head.substr(0, line_end);
    head.remove_prefix(line_end == std::string_view::npos ? head.size() : line_end + 1);
    Line line;
    std::size_t at = text.find_first_not_of(" \t\r");
    if (at != std::string_view::npos && (text[at] == '#' || text[at] == '%')) continue;
    while (at != std::string_view::npos) {
      const std::size_t end = std::min(text.find_first_of(" \t\r", at), text.size());
      line.words.push_back(text.substr(at, end - at));
      at = text.find_first_not_of(" \t\r", end);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::optional<std::uint64_t> to_number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || stop != word.data() + word.size()) return std::nullopt;
  return value;
}

// Whether the sample can be METIS: a header whose counts and ranges all later lines respect.
bool fits_metis(const std::vector<Line>& lines, bool whole_file) {
  const auto first = std::find_if(lines.begin(), lines.end(),
                                  [](const Line& line) { return !line.words.empty(); });
  if (first == lines.end()) return false;
  const auto& header = first->words;
  if (header.size() < 2 || header.size() > 4) return false;
  const auto vertices = to_number(header[0]);
  const auto edges = to_number(header[1]);
  if (!vertices || !edges) return false;
  std::uint64_t format = 0;
  std::uint64_t constraints = 1;
  if (header.size() >= 3) {
    const auto word = to_number(header[2]);
    if (!word || *word > 111 || *word % 10 > 1 || *word / 10 % 10 > 1) return false;
    format = *word;
  }
  if (header.size() == 4) constraints = to_number(header[3]).value_or(0);
  const std::size_t stride = format % 10 == 1 ? 2 : 1;
  const std::size_t skipped = (format / 100) + (format / 10 % 10 == 1 ? constraints : 0);
  std::uint64_t entries = 0;
  std::uint64_t rows = 0;
  for (auto line = first + 1; line != lines.end(); ++line) {
    const auto& words = line->words;
    if (words.empty() && rows >= *vertices) continue;
    ++rows;
    if (words.empty()) continue;
    if (words.size() < skipped || (words.size() - skipped) % stride != 0) return false;
    for (std::size_t w = skipped; w < words.size(); w += stride, ++entries) {
      const auto neighbour = to_number(words[w]);
      if (!neighbour || *neighbour == 0 || *neighbour > *vertices || *neighbour == rows)
        return false;
    }
  }
  if (rows > *vertices || entries > 2 * *edges) return false;
  return !whole_file || (rows + 1 >= *vertices && entries == 2 * *edges);
}

// Whether every line may be "vertex neighbours...": each vertex has one line only.
bool fits_adjacency(const std::vector<Line>& lines) {
  std::vector<std::uint64_t> vertices;
  for (const Line& line : lines) {
    if (line.words.empty()) continue;
    for (const std::string_view word : line.words) {
      if (!to_number(word)) return false;
    }
    vertices.push_back(*to_number(line.words[0]));
  }
  std::sort(vertices.begin(), vertices.end());
  return std::adjacent_find(vertices.begin(), vertices.end()) == vertices.end();
}

// Edges whose vertices are named by words: two columns, or three of which the last is a number.
bool fits_named_edges(const std::vector<Line>& lines) {
  std::size_t columns = 0;
  bool first = true;
  for (const Line& line : lines) {
    const auto& words = line.words;
    if (words.empty()) continue;
    if (columns == 0) columns = words.size();
    if (words.size() != columns || columns < 2 || columns > 3) return false;
    // The first line may be a header, and shows whether ids are text.
    if (first && looks_like_number(words[0]) && looks_like_number(words[1])) return false;
    if (!first && columns == 3 && !looks_like_number(words[2])) return false;
    first = false;
  }
  return columns != 0;
}

// What no line of numbers looks like; nothing where the file is another format's.
std::optional<Detection> detect_tables(const std::string& path, std::string_view head,
                                       bool complete, const std::vector<Line>& lines) {
  const TableSigns csv = csv_signs(head, complete);
  const TableSigns tsv = tsv_signs(head, complete);
  if (csv.sign == TableSign::Named) return Detection{Format::Csv, csv.reason, ""};
  if (tsv.sign == TableSign::Named) return Detection{Format::Tsv, tsv.reason, ""};
  const bool words = fits_named_edges(lines);
  if (words && std::max(csv.sign, tsv.sign) >= TableSign::Even) {
    throw refused_at_line(
        path, 0,
        fmt::format(
            "the format is not certain, it could be edge-list (words) or {} ({}): say which "
            "by --format",
            csv.sign >= tsv.sign ? "csv" : "tsv", csv.sign >= tsv.sign ? csv.reason : tsv.reason));
  }
  if (words) return Detection{Format::EdgeList, "vertices that are named by words", ""};
  if (csv.sign != TableSign::None && csv.sign >= tsv.sign) {
    return Detection{Format::Csv, csv.reason, ""};
  }
  if (tsv.sign != TableSign::None) return Detection{Format::Tsv, tsv.reason, ""};
  return std::nullopt;
}

Detection detect_numbers(const std::string& path, const std::vector<Line>& lines, bool complete) {
  std::size_t fewest = ~std::size_t{0};
  std::size_t most = 0;
  std::size_t first = 0;  // words of the first line with any
  for (const Line& line : lines) {
    if (line.words.empty()) continue;
    if (first == 0) first = line.words.size();
    fewest = std::min(fewest, line.words.size());
    most = std::max(most, line.words.size());
  }
  const bool metis = fits_metis(lines, complete);
  if (fewest == most && (most == 2 || most == 3)) {
    Detection found{Format::EdgeList, fmt::format("{} columns on every line", most), ""};
    if (metis && complete) found.note = "it could also be METIS, which --format metis reads";
    return found;
  }
  if (metis) return {Format::Metis, "a header that all lines respect", ""};
  if (fits_adjacency(lines) && (fewest == 1 || most > 3) && !(fewest == 1 && most == 1)) {
    return {Format::Adjacency, "lines of differing length, one for each vertex", ""};
  }
  // A bad line in an edge list: the reader names it.
  if (first == 2 || first == 3) {
    if (fits_adjacency(lines) && fewest == 2 && most == 3) {
      throw refused_at_line(
          path, 0,
          "lines have two or three numbers: a weighted edge list that lacks weights, or "
          "adjacency lines? Say which by --format edge-list or --format adjacency");
    }
    return {Format::EdgeList, fmt::format("{} columns on the first line", first), ""};
  }
  if (most == 1) {
    throw refused_at_line(
        path, 0,
        "the file has one number per line: a list of vertices (.v) needs its edges (.e) "
        "beside it under the same name");
  }
  throw refused_at_line(path, 0, "no known graph format: say which by --format");
}

}  // namespace

Detection detect_format(const std::string& path, std::string_view head, bool complete) {
  if (head.empty()) throw refused_at_line(path, 0, "the file is empty");
  if (auto binary = detect_binary(head)) return *binary;
  if (head.find('\0') != std::string_view::npos) {
    throw refused_at_byte(path, head.find('\0'), "a binary file of no known graph format");
  }
  constexpr std::string_view kBanner = "%%matrixmarket";
  const bool banner = head.size() >= kBanner.size() &&
                      std::equal(kBanner.begin(), kBanner.end(), head.begin(), [](char a, char b) {
                        return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
                      });
  if (banner) return {Format::MatrixMarket, "its banner", ""};
  if (shows_graphml(head)) return {Format::GraphMl, "its element <graphml>", ""};
  const std::vector<Line> lines = sample_lines(head, complete);
  for (const Line& line : lines) {
    if (line.words.empty() || line.words[0] == "c") continue;
    if (line.words[0].starts_with("c") && line.words[0].size() > 1)
      continue;  // "c" glued to its text
    if (line.words[0] != "p") break;
    if (line.words.size() >= 2 && line.words[1] == "sp")
      return {Format::Dimacs, "its line 'p sp'", ""};
    return {Format::Pace,
            fmt::format("its line 'p {}'", line.words.size() > 1 ? line.words[1] : ""), ""};
  }
  const bool any =
      std::any_of(lines.begin(), lines.end(), [](const Line& line) { return !line.words.empty(); });
  if (!any) {
    if (complete && head.find("Nodes:") == std::string_view::npos) {
      throw refused_at_line(path, 0, "the file holds no edges");
    }
    return {Format::EdgeList, "nothing but comments at its beginning", ""};
  }
  if (const auto table = detect_tables(path, head, complete, lines)) return *table;
  return detect_numbers(path, lines, complete);
}

}  // namespace vertigo::graph
