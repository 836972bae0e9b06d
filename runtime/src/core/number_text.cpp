#include "vertigo/core/number_text.h"

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

}  // namespace vertigo
