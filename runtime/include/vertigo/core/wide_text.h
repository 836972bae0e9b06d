#pragma once
// wide64 as text: the shortest decimal number that reads back as the same value.

#include <string_view>

#include "vertigo/core/wide.h"

namespace vertigo {

/// Longest text that write_wide writes.
inline constexpr int kLongestWide = 32;

/// Writes at `to` (kLongestWide bytes are there) and returns the end. `inf`, `-inf` and `nan` for
/// what is no number.
char* write_wide(char* to, Wide64 value);

enum class WideText { Read, NotANumber, OutOfRange };

/// Reads the whole of a decimal number; rounds to nearest.
WideText read_wide(std::string_view text, Wide64& value);

}  // namespace vertigo
