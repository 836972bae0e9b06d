#include "compiler/emit/common/UserText.h"

#include <algorithm>
#include <cstdint>

namespace vertigo::compiler::emit {

namespace {

constexpr std::size_t kLiteralPiece = 8000;  // compilers must take 65,536 characters, not more

/// One character of UTF-8, or one byte that begins none.
struct Character {
  std::string_view bytes;
  std::uint32_t code = 0;
  bool valid = false;
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

Character next_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {text.substr(0, 1), first, true};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const Character byte{text.substr(0, 1), first, false};
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return byte;
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return byte;
    code = code << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[length] || code > 0x10ffff || surrogate) return byte;
  return {text.substr(0, length), code, true};
}

// Controls of ASCII and Latin-1, separators of lines and paragraphs, and what changes the direction
// in which text is shown: code would look like something else than it is.
bool misleads(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0xfeff ||
         (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return text;
}

// Three digits end the escape, whatever follows.
std::string octal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
             static_cast<char>('0' + byte % 8)};
  }
  return text;
}

template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const Character character = next_character(text);
    visit(character);
    text.remove_prefix(character.bytes.size());
  }
}

// What nearly all text is made of: fifty megabytes of it are not taken apart.
bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7f; }

bool may_stand_raw(std::string_view text) {
  bool plain = text.find(")vertigo\"") == std::string_view::npos;
  if (std::ranges::all_of(text, [](char c) { return c == '\n' || is_printable_ascii(c); }))
    return plain;
  for_each_character(text, [&](const Character& c) {
    plain = plain && c.valid && (c.code == '\n' || !misleads(c.code));
  });
  return plain;
}

}  // namespace

std::string in_comment(std::string_view text) {
  std::string result;
  if (std::ranges::all_of(text, is_printable_ascii))
    result = text;
  else
    for_each_character(text, [&](const Character& c) {
      if (c.valid && c.code == '\t')
        result += ' ';
      else if (!c.valid || misleads(c.code))
        result += hexadecimal(c.bytes);
      else
        result += c.bytes;
    });
  // A backslash at its end, or what stood for one before C++17, joins the next line to it.
  result.erase(result.find_last_not_of(' ') + 1);
  if (result.ends_with('\\') || result.ends_with("?\?/")) result += '.';
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for_each_character(text, [&](const Character& c) {
    if (!c.valid || misleads(c.code)) {
      result += octal(c.bytes);
      return;
    }
    // Two question marks begin a trigraph.
    const bool second_mark = c.code == '?' && result.ends_with('?');
    if (c.code == '"' || c.code == '\\' || second_mark) result += '\\';
    result += c.bytes;
  });
  return result + "\"";
}

std::string quoted_file(std::string_view name) {
  std::string readable(name);
  std::ranges::replace(readable, '"', '\'');
  return quoted(readable);
}

std::string raw_literal(std::string_view text) {
  std::string result;
  do {
    std::size_t length = std::min(text.size(), kLiteralPiece);
    while (length < text.size() && length > 0 && is_continuation(text[length])) --length;
    if (length == 0) length = std::min(text.size(), kLiteralPiece);  // no UTF-8
    const std::string_view piece = text.substr(0, length);
    text.remove_prefix(piece.size());
    if (may_stand_raw(piece))
      result.append("R\"vertigo(").append(piece).append(")vertigo\"");
    else
      result += quoted(piece);
    result += '\n';
  } while (!text.empty());
  result.pop_back();
  return result;
}

}  // namespace vertigo::compiler::emit
