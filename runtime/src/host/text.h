#pragma once
// Small pieces of text that messages, tables and summaries of the command line share.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vertigo/core/number_text.h"

namespace vertigo::host {

/// The text as one line that is safe on a terminal: control characters become \n, \t or \xNN.
std::string printable(std::string_view text);

/// The candidate that the user most likely meant: a near miss, or a longer word that begins so.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'x'?" or "".
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// "a, b or c".
std::string alternatives(std::span<const std::string> words);

/// Three significant digits with a unit: "1.23 s", "45.6 ms", "789 us", "0 s".
std::string format_seconds(double seconds);

/// Lines of the form "phase       words" in at most `width` columns: what is too long goes on in
/// the line below, behind the column of names. Lines break between words. Other lines, and longer
/// words, stay as they are, and so does everything where there is no room for words.
std::string wrapped(std::string_view text, std::size_t width);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trimmed(std::string_view text);
std::string lowercase(std::string_view text);

/// Columns padded to the same width; `right` says which columns are aligned to the right.
std::string format_table(const std::vector<std::vector<std::string>>& rows,
                         const std::vector<bool>& right);

}  // namespace vertigo::host
