#pragma once
// Vertex ids that are text: what they may hold, and how they are written among other words.

#include <optional>
#include <string>
#include <string_view>

namespace vertigo::graph {

/// Longest id in bytes.
inline constexpr std::size_t kLongestId = 65535;

/// Why a text cannot be an id, as the end of a sentence ("is empty"); null where it can. An id is
/// UTF-8 without control characters other than tabs and line ends, so that every format can hold
/// it.
const char* id_problem(std::string_view text);

/// Appends a text as one word of a line or list: as it is, or in double quotes, with those inside
/// doubled (RFC 4180). Quotes are needed by blanks, commas, quotes, a first '#' or '%', and `none`,
/// which without quotes is no vertex.
void append_word(std::string_view text, std::string& to);

/// A text as messages show it: on one line, control characters escaped, cut where it is long.
std::string shown(std::string_view text);

/// A word of a line or a list.
struct Word {
  std::string text;  ///< without the quotes
  bool quoted = false;
};

/// Takes the next word off `rest`: up to a character of `separators` that stands outside of quotes,
/// which stays in `rest`. Blanks around the word are skipped. Nothing where a quote is not closed,
/// or is followed by something else than a separator; `rest` then begins with that quote.
std::optional<Word> take_word(std::string_view& rest, std::string_view separators);

}  // namespace vertigo::graph
