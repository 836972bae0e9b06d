#include "host/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "vertigo/core/near_miss.h"

namespace vertigo::host {

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      std::array<char, 5> escape{};
      std::snprintf(escape.data(), escape.size(), "\\x%02x", byte);
      result += escape.data();
    } else {
      result += c;
    }
  }
  return result;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kShortestBeginning = 3;
  if (auto meant = near_miss(word, {candidates.begin(), candidates.end()})) return meant;
  if (word.size() < kShortestBeginning) return std::nullopt;
  const auto longer = std::ranges::find_if(
      candidates, [&](const std::string& candidate) { return candidate.starts_with(word); });
  return longer == candidates.end() ? std::nullopt : std::optional(*longer);
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const auto meant = nearest(word, candidates);
  return meant ? "; did you mean '" + *meant + "'?" : "";
}

std::string alternatives(std::span<const std::string> words) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) result += i + 1 == words.size() ? " or " : ", ";
    result += words[i];
  }
  return result;
}

std::string format_seconds(double seconds) {
  std::array<char, 32> text{};
  if (seconds < 5e-9) return "0 s";  // below what any clock here can tell
  double scaled = seconds;
  const char* unit = "s";
  if (seconds < 1e-3) {
    scaled = seconds * 1e6;
    unit = "us";
  } else if (seconds < 1) {
    scaled = seconds * 1e3;
    unit = "ms";
  }
  const int decimals = scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, scaled, unit);
  return text.data();
}

namespace {

// Of lines that begin with the name of what they say.
constexpr std::size_t kNameColumns = 12;

bool begins_with_name(std::string_view line) {
  return line.size() > kNameColumns && line.front() != ' ' && line[kNameColumns - 1] == ' ' &&
         line[kNameColumns] != ' ' && line.find(' ') < kNameColumns &&
         line.find_first_not_of(' ', line.find(' ')) == kNameColumns;
}

void append_wrapped(std::string& text, std::string_view line, std::size_t width) {
  std::size_t columns = width;
  while (line.size() > columns) {
    std::size_t end = line.rfind(' ', columns);
    const bool is_first = columns == width;
    if (end == std::string_view::npos || (is_first && end < kNameColumns))
      end = line.find(' ', is_first ? kNameColumns : 0);
    if (end == std::string_view::npos) break;
    text += line.substr(0, end);
    text += '\n' + std::string(kNameColumns, ' ');
    line.remove_prefix(end + 1);
    columns = width - kNameColumns;
  }
  text += line;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width) {
  if (width < 2 * kNameColumns) return std::string(text);
  std::string result;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    if (begins_with_name(line))
      append_wrapped(result, line, width);
    else
      result += line;
    if (end == std::string_view::npos) return result;
    result += '\n';
    rest.remove_prefix(end + 1);
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) break;
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string lowercase(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

std::string format_table(const std::vector<std::vector<std::string>>& rows,
                         const std::vector<bool>& right) {
  std::vector<std::size_t> widths(right.size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += right[i] ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace vertigo::host
