#include "vertigo/graph/id_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace vertigo::graph {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the UTF-8 character that begins at `at`; 0 where none does. Refuses longer spellings,
// surrogates and what lies above U+10FFFF.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return 1;
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - at < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[at + i])) return 0;
  }
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : bytes;
}

bool is_blank_or_line_end(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool needs_quotes(std::string_view text) {
  return text.empty() || text == "none" || text.front() == '#' || text.front() == '%' ||
         text.find_first_of(" \t\r\n,\"") != std::string_view::npos;
}

void skip_blanks(std::string_view& text, std::string_view separators) {
  while (!text.empty() && is_blank_or_line_end(text.front()) &&
         separators.find(text.front()) == std::string_view::npos) {
    text.remove_prefix(1);
  }
}

}  // namespace

const char* id_problem(std::string_view text) {
  if (text.empty()) return "is empty";
  if (text.size() > kLongestId) return "is longer than 65535 bytes";
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte < 0x20 && !is_blank_or_line_end(text[at])) || byte == 0x7F) {
      return "holds a control character";
    }
    const std::size_t bytes = character_bytes(text, at);
    if (bytes == 0) return "is not UTF-8";
    // U+FFFE and U+FFFF stand for no character, and XML cannot hold them.
    const std::string_view character = text.substr(at, bytes);
    if (character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF") {
      return "holds a code that is no character";
    }
    at += bytes;
  }
  return nullptr;
}

void append_word(std::string_view text, std::string& to) {
  if (!needs_quotes(text)) {
    to += text;
    return;
  }
  to += '"';
  for (const char c : text) {
    if (c == '"') to += '"';
    to += c;
  }
  to += '"';
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMostBytes = 64;
  std::size_t kept = std::min(text.size(), kMostBytes);
  while (kept > 0 && kept < text.size() && is_continuation(text[kept])) --kept;
  std::string result;
  for (const char c : text.substr(0, kept)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return kept < text.size() ? result + "..." : result;
}

std::optional<Word> take_word(std::string_view& rest, std::string_view separators) {
  skip_blanks(rest, separators);
  Word word;
  if (rest.empty() || rest.front() != '"') {
    const std::size_t end = std::min(rest.find_first_of(separators), rest.size());
    std::string_view text = rest.substr(0, end);
    while (!text.empty() && is_blank_or_line_end(text.back())) text.remove_suffix(1);
    rest.remove_prefix(end);
    word.text = text;
    return word;
  }
  word.quoted = true;
  std::string_view after = rest.substr(1);
  for (;;) {
    const std::size_t quote = after.find('"');
    if (quote == std::string_view::npos) return std::nullopt;
    word.text += after.substr(0, quote);
    after.remove_prefix(quote + 1);
    if (after.empty() || after.front() != '"') break;
    word.text += '"';
    after.remove_prefix(1);
  }
  skip_blanks(after, separators);
  if (!after.empty() && separators.find(after.front()) == std::string_view::npos) {
    return std::nullopt;
  }
  rest = after;
  return word;
}

}  // namespace vertigo::graph
