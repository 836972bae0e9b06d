#pragma once
// What a mistyped name was probably meant to be.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vertigo {

/// The candidate nearest to `word` by edit distance (insertion, deletion, substitution, swap of
/// neighbours), if it is near: at most a third of the word, and at least one edit is always
/// allowed. The earliest of equals.
std::optional<std::string> near_miss(std::string_view word,
                                     const std::vector<std::string>& candidates);

}  // namespace vertigo
