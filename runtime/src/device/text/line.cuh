#pragma once
// One line of text, as one thread reads it: what it is, and its two or three numbers. A thread is
// sure of what it reads or says that it is not; the host's readers (graph/scan.h) have the last
// word on everything else, so that nothing is taken here that they refuse or read in another way.

#include <cstdint>

#include "lines.h"

namespace vertigo::gpu::text {

/// A longer line is left to the host: one thread reads it.
constexpr std::uint64_t kLongestLine = std::uint64_t{64} << 10;

/// Every text ends with a line end, so only what may be repeated for ever looks for the limit.
struct Line {
  const char* at;
  const char* limit;
};

__device__ __forceinline__ unsigned digit_of(char c) { return static_cast<unsigned char>(c - '0'); }
__device__ __forceinline__ bool is_digit(char c) { return digit_of(c) < 10; }
__device__ __forceinline__ bool is_blank(char c) { return c == ' ' || c == '\t'; }
__device__ __forceinline__ bool ends_word(char c) { return is_blank(c) || c == '\r' || c == '\n'; }

__device__ __forceinline__ void skip_blanks(Line& line) {
  while (is_blank(*line.at) && line.at < line.limit) ++line.at;
}

enum class Kind : std::uint8_t { Blank, Comment, Edge };
/// Moves to the first character that is no blank.
__device__ __forceinline__ Kind kind_of(Line& line, const Shape& shape) {
  skip_blanks(line);
  const char first = *line.at;
  if (first == '\n' || first == '\r') return Kind::Blank;
  return first == shape.comments[0] || first == shape.comments[1] ? Kind::Comment : Kind::Edge;
}

/// Moves behind the line end; false where something else is there. A carriage return is part of a
/// line end or nothing that can be read here.
__device__ __forceinline__ bool finish(Line& line) {
  skip_blanks(line);
  while (*line.at == '\r' && line.at < line.limit) ++line.at;
  return *line.at++ == '\n';
}

__device__ __forceinline__ bool skip_comment(Line& line) {
  while (*line.at != '\n' && *line.at != '\r' && line.at < line.limit) ++line.at;
  while (*line.at == '\r' && line.at < line.limit) ++line.at;
  return *line.at++ == '\n';
}

/// An id of 32 bits, from which `first` is taken.
__device__ __forceinline__ bool scan_id(Line& line, std::uint32_t first, std::uint32_t& id) {
  constexpr int kMostDigits = 10;
  skip_blanks(line);
  std::uint64_t value = 0;
  int digits = 0;
  for (; is_digit(*line.at) && digits <= kMostDigits; ++digits)
    value = 10 * value + digit_of(*line.at++);
  id = static_cast<std::uint32_t>(value - first);
  return digits > 0 && digits <= kMostDigits && ends_word(*line.at) && value >= first &&
         value <= 0xFFFFFFFFu;
}

/// A weight in the making: (-1)^negative * digits * 10^scale.
struct Number {
  std::uint64_t value = 0;
  int digits = 0;  ///< from the first that is not 0 on
  int scale = 0;
  bool negative = false;
};

/// The digits at `line`, at least one; more than fit are counted and left out of the value.
__device__ __forceinline__ bool scan_digits(Line& line, Number& number) {
  constexpr int kMost = 18;
  if (!is_digit(*line.at)) return false;
  for (; is_digit(*line.at) && number.digits <= kMost; ++line.at) {
    number.value = 10 * number.value + digit_of(*line.at);
    number.digits += number.digits > 0 || *line.at != '0';
    if (line.at >= line.limit) return false;
  }
  return number.digits <= kMost;
}

/// Behind the whole digits of a number: fraction and exponent. False where there are neither, or
/// where the value would need more than one rounding (Clinger 1990: up to 15 digits and 22 powers
/// of ten are exact).
__device__ inline bool scan_fraction(Line& line, Number& number) {
  constexpr int kExactDigits = 15;
  constexpr int kExactPower = 22;
  if (*line.at == '.') {
    const char* const point = ++line.at;
    if (!scan_digits(line, number) || line.at - point > 64) return false;
    number.scale = -static_cast<int>(line.at - point);
  }
  if (*line.at == 'e' || *line.at == 'E') {
    ++line.at;
    const bool negative = *line.at == '-';
    if (*line.at == '-' || *line.at == '+') ++line.at;
    int exponent = 0;
    int digits = 0;
    for (; is_digit(*line.at) && digits < 4; ++digits)
      exponent = 10 * exponent + static_cast<int>(digit_of(*line.at++));
    if (digits == 0 || digits == 4) return false;
    number.scale += negative ? -exponent : exponent;
  }
  return ends_word(*line.at) && number.digits <= kExactDigits && number.scale <= kExactPower &&
         number.scale >= -kExactPower;
}

__device__ inline double real_of(const Number& number) {
  double power = 1;
  for (int i = number.scale < 0 ? -number.scale : number.scale; i > 0; --i) power *= 10;
  const auto value = static_cast<double>(number.value);
  const double scaled = number.scale < 0 ? value / power : value * power;
  return number.negative ? -scaled : scaled;
}

/// The bits of a std::int64_t, or of a double. `fraction`: it is no integer, and its value is only
/// there where reals are asked for.
template <Weight kWeight>
__device__ __forceinline__ bool scan_weight(Line& line, std::uint64_t& bits, bool& fraction) {
  skip_blanks(line);
  Number number;
  number.negative = *line.at == '-';
  if (*line.at == '-' || *line.at == '+') ++line.at;
  if (!scan_digits(line, number)) return false;
  const bool whole = ends_word(*line.at);
  if (!whole && !scan_fraction(line, number)) return false;
  fraction = !whole;
  const auto integer = static_cast<std::int64_t>(number.value);
  const std::int64_t signed_integer = number.negative ? -integer : integer;
  if constexpr (kWeight == Weight::Reals) {
    const double real = whole ? static_cast<double>(signed_integer) : real_of(number);
    bits = static_cast<std::uint64_t>(__double_as_longlong(real));
  } else {
    bits = static_cast<std::uint64_t>(signed_integer);
  }
  return true;
}

/// Source in the upper half, so that edges in ascending order are sorted by source and target.
__device__ __forceinline__ std::uint64_t edge_of(std::uint32_t source, std::uint32_t target) {
  return std::uint64_t{source} << 32 | target;
}

struct ParsedEdge {
  std::uint64_t ids = 0;
  std::uint64_t weight = 0;
  bool fraction = false;
};

/// A line that kind_of() calls an edge.
template <Weight kWeight>
__device__ __forceinline__ bool scan_edge(Line& line, const Shape& shape, ParsedEdge& edge) {
  if (shape.mark != 0) {
    if (*line.at != shape.mark || !is_blank(line.at[1])) return false;
    ++line.at;
  }
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  if (!scan_id(line, shape.first_id, source) || !scan_id(line, shape.first_id, target))
    return false;
  edge.ids = edge_of(source, target);
  if constexpr (kWeight != Weight::None)
    if (!scan_weight<kWeight>(line, edge.weight, edge.fraction)) return false;
  return finish(line);
}

}  // namespace vertigo::gpu::text
