#include "vertigo/core/colours.h"

#include <charconv>
#include <system_error>

namespace vertigo {

std::optional<std::uint32_t> parse_colours(std::string_view word) {
  if (word == "auto") return kDerivedColours;
  if (word == "all") return kAllColours;
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  if (number < 1 || number > kMostBeforeRest) return std::nullopt;
  return number;
}

std::string colours_words() {
  return "auto, all, or a whole number from 1 to " + std::to_string(kMostBeforeRest);
}

}  // namespace vertigo
