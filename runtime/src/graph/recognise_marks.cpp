// Formats that say what they are: by a magic number, a banner or a header line.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "cached_layout.h"
#include "konect_header.h"
#include "recognise.h"

namespace vertigo::graph {
namespace {

std::uint64_t word_at(std::string_view head, std::size_t offset) {
  std::uint64_t value = 0;
  std::memcpy(&value, head.data() + offset, sizeof value);
  return value;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Where `text` holds `word`, whatever the case of its letters; npos where it does not.
std::size_t find_word(std::string_view text, std::string_view word) {
  const auto found = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                 [](char a, char b) { return lower(a) == b; });
  return found == text.end() ? std::string_view::npos
                             : static_cast<std::size_t>(found - text.begin());
}

// "ROWS COLUMNS ENTRIES" of a square matrix and as many entries in range, but nothing that says so.
Verdict judge_matrix_without_banner(const Sample& sample) {
  const auto& data = sample.data();
  if (data.size() < 2 || data[0].words.size() != 3) return {};
  const auto rows = whole_number(data[0].words[0]);
  const auto columns = whole_number(data[0].words[1]);
  const auto entries = whole_number(data[0].words[2]);
  if (!rows || !columns || !entries || *rows != *columns) return {};
  const std::uint64_t found = data.size() - 1;
  if (sample.complete() ? *entries != found : *entries < found) return {};
  const std::size_t width = data[1].words.size();
  if (width != 2 && width != 3) return {};
  for (std::size_t i = 1; i < data.size(); ++i) {
    if (data[i].words.size() != width) return {};
    for (const std::string_view word : data[i].words.first(2)) {
      const auto id = whole_number(word);
      if (!id || *id == 0 || *id > *rows) return {};
    }
  }
  return {score::kDamaged,
          fmt::format("the first line gives the sizes of a matrix and the number of its entries, "
                      "but the banner '%%MatrixMarket' is missing"),
          data[0].number};
}

// The first line that is no comment of DIMACS or PACE, if there is one.
const SampleLine* problem_line(const Sample& sample) {
  const auto found = std::find_if(sample.data().begin(), sample.data().end(),
                                  [](const SampleLine& line) { return line.words[0][0] != 'c'; });
  return found == sample.data().end() ? nullptr : &*found;
}

}  // namespace

Verdict judge_cached(const Sample& sample) {
  if (!sample.head().starts_with(kCachedMagic)) return {};
  return {score::kMarked, "its first bytes"};
}

Verdict judge_bel(const Sample& sample) {
  if (!sample.head().starts_with("BELGRAPH")) return {};
  return {score::kMarked, "its first bytes"};
}

Verdict judge_galois(const Sample& sample) {
  const std::string_view head = sample.head();
  if (!sample.binary() || head.size() < 32) return {};
  const std::uint64_t version = word_at(head, 0);
  const std::uint64_t edge_bytes = word_at(head, 8);
  if ((version != 1 && version != 2) || (edge_bytes != 0 && edge_bytes != 4 && edge_bytes != 8))
    return {};
  return {score::kCounted, fmt::format("a Galois header, version {}", version)};
}

Verdict judge_gap(const Sample& sample) {
  const std::string_view head = sample.head();
  if (!sample.binary() || head.size() < 17 || (head[0] != 0 && head[0] != 1)) return {};
  const std::uint64_t edges = word_at(head, 1);
  const std::uint64_t vertices = word_at(head, 9);
  if (edges > (std::uint64_t{1} << 48) || vertices > (std::uint64_t{1} << 32)) return {};
  if (!sample.size()) return {score::kFits, "a GAP header"};
  const std::uint64_t sides = head[0] == 1 ? 2 : 1;
  const std::uint64_t offsets = 8 * (vertices + 1);
  const bool exact = *sample.size() == 17 + sides * (offsets + 4 * edges) ||
                     *sample.size() == 17 + sides * (offsets + 8 * edges);
  if (exact) return {score::kCounted, "a GAP header whose counts fit the file's size"};
  return {score::kDamaged, "a GAP header, but its counts do not fit the file's size"};
}

Verdict judge_matrix_market(const Sample& sample) {
  constexpr std::string_view kBanner = "%%matrixmarket";
  if (find_word(sample.first_line().substr(0, kBanner.size()), kBanner) == 0)
    return {score::kMarked, "its banner"};
  for (const std::string_view comment : sample.comments()) {
    if (find_word(comment.substr(0, 256), "matrixmarket") != std::string_view::npos)
      return {score::kCounted, "a comment names MatrixMarket, but the first line is no banner"};
  }
  return judge_matrix_without_banner(sample);
}

Verdict judge_dimacs(const Sample& sample) {
  const SampleLine* const line = problem_line(sample);
  if (line == nullptr) return {};
  if (line->words[0] == "p" && line->words.size() >= 2 && line->words[1] == "sp")
    return {score::kMarked, "its line 'p sp'"};
  if (line->words[0] == "a" && line->words.size() == 4)
    return {score::kSuspect, "arcs 'a SOURCE TARGET WEIGHT' without a line 'p sp' before them",
            line->number};
  return {};
}

Verdict judge_pace(const Sample& sample) {
  const SampleLine* const line = problem_line(sample);
  if (line == nullptr || line->words[0] != "p") return {};
  if (line->words.size() < 2) return {score::kDamaged, "a line 'p'", line->number};
  if (line->words[1] == "sp") return {};
  return {score::kMarked, fmt::format("its line 'p {}'", line->words[1].substr(0, 32))};
}

Verdict judge_konect(const Sample& sample) {
  if (is_konect_header(sample.first_line())) return {score::kMarked, "its header"};
  const auto& data = sample.data();
  const bool four = !data.empty() && std::all_of(data.begin(), data.end(), [](const auto& line) {
    return line.words.size() == 4 && whole_number(line.words[0]) && whole_number(line.words[1]);
  });
  if (!four) return {};
  return {score::kSuspect, "'source target weight time' on every line, but no KONECT header",
          data[0].number};
}

}  // namespace vertigo::graph
