#include "vertigo/core/number_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace vertigo {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view word, std::string_view plural) {
  std::string text = grouped(number) + ' ';
  if (number == 1 || plural.empty())
    text += word;
  else
    text += plural;
  if (number != 1 && plural.empty()) text += 's';
  return text;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  double number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::tolower(c); });
  bool valid = code == std::errc{} && number > 0;
  double factor = 1;
  if (!unit.empty() && unit != "b") {
    const std::size_t power = std::string_view("kmgt").find(unit.front());
    const std::string tail = unit.substr(1);
    valid =
        valid && power != std::string_view::npos && (tail.empty() || tail == "b" || tail == "ib");
    for (std::size_t i = 0; valid && i <= power; ++i) factor *= tail == "b" ? 1000 : 1024;
  }
  const double bytes = number * factor;
  if (!valid || !(bytes >= 1) || bytes >= 0x1p63) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace vertigo
