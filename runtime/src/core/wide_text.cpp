#include "vertigo/core/wide_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace vertigo {

namespace {

// Every wide64 is a long double of this machine, so that the C++ library converts.
using Carrier = long double;
static_assert(std::numeric_limits<Carrier>::max_exponent >
              std::numeric_limits<Wide64>::max_exponent);
static_assert(std::numeric_limits<Carrier>::digits > std::numeric_limits<Wide64>::digits);

// 49 bits are told apart by 16 digits; most values that people write have 15 or fewer.
constexpr int kShortDigits = 15;
constexpr int kMostDigits = 16;

Carrier carried(Wide64 value) {
  if (value.bits() == 0) return 0;
  int power = 0;
  const double significand = value.split(power);
  return std::ldexp(Carrier{significand}, power);
}

Wide64 rounded(Carrier value) {
  int power = 0;
  const Carrier fraction = std::frexp(value, &power);
  return Wide64::scaled(static_cast<double>(fraction), power);
}

char* copy(char* to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

}  // namespace

char* write_wide(char* to, Wide64 value) {
  if (value.is_nan()) return copy(to, "nan");
  if (!value.is_finite()) return copy(to, value < Wide64{0} ? "-inf" : "inf");
  const Carrier number = carried(value);
  char* const limit = to + kLongestWide;
  char* end = std::to_chars(to, limit, number, std::chars_format::general, kShortDigits).ptr;
  Wide64 again;
  const auto text = [&] { return std::string_view(to, static_cast<std::size_t>(end - to)); };
  if (read_wide(text(), again) == WideText::Read && again == value) return end;
  return std::to_chars(to, limit, number, std::chars_format::general, kMostDigits).ptr;
}

WideText read_wide(std::string_view text, Wide64& value) {
  Carrier number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, code] = std::from_chars(text.data(), last, number);
  if (end != last || text.empty()) return WideText::NotANumber;
  if (code == std::errc::result_out_of_range) return WideText::OutOfRange;
  // from_chars reads "nan" and "infinity" too.
  if (code != std::errc{} || !std::isfinite(number)) return WideText::NotANumber;
  value = rounded(number);
  const bool vanished = value == Wide64{0} && number != 0;
  return value.is_finite() && !vanished ? WideText::Read : WideText::OutOfRange;
}

}  // namespace vertigo
