#include "edge_field.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "scan.h"
#include "vertigo/core/error.h"
#include "vertigo/graph/id_text.h"

namespace vertigo::graph {
namespace {

LineError refusal(const EdgeField& field, std::string_view text, std::string_view why) {
  return {
      fmt::format("'{}' {}, and '{}' is {}", shown(text), why, field.name, kind_name(field.kind))};
}

bool is_word(std::string_view text, std::string_view lowercase) {
  if (text.size() != lowercase.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] | 0x20) != lowercase[i]) return false;
  return true;
}

bool read_truth(std::string_view text, const EdgeField& field) {
  if (text == "1" || is_word(text, "true")) return true;
  if (text == "0" || is_word(text, "false")) return false;
  throw refusal(field, text, "is neither true nor false, 1 nor 0");
}

// Without a sign where that is a plus, which from_chars does not know.
std::string_view unsigned_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return plus ? text.substr(1) : text;
}

template <class T>
T read_all(std::string_view text, const EdgeField& field, std::string_view whole) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end)
    throw refusal(field, whole, "is out of range");
  if (error != std::errc{} || stop != end) throw refusal(field, whole, "is no number");
  return value;
}

double read_real(std::string_view text, const EdgeField& field, std::string_view whole) {
  const auto value = read_all<double>(text, field, whole);
  if (!std::isfinite(value)) throw refusal(field, whole, "is not a finite number");
  return value;
}

template <class T>
T read_whole_number(std::string_view text, const EdgeField& field, std::string_view whole) {
  if (text.find_first_of(".eEnNiI") == std::string_view::npos) {
    if (text.starts_with('-')) {
      const auto value = read_all<std::int64_t>(text, field, whole);
      if (!std::in_range<T>(value)) throw refusal(field, whole, "is out of range");
      return static_cast<T>(value);
    }
    const auto value = read_all<std::uint64_t>(text, field, whole);
    if (!std::in_range<T>(value)) throw refusal(field, whole, "is out of range");
    return static_cast<T>(value);
  }
  const double value = read_real(text, field, whole);
  if (std::trunc(value) != value) throw refusal(field, whole, "is no whole number");
  // The bound is a power of two, exact in floating point; the largest integer itself may not be.
  const double bound = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (value >= bound || value < (std::is_signed_v<T> ? -bound : 0.0))
    throw refusal(field, whole, "is out of range");
  return static_cast<T>(value);
}

template <class T>
T read_value(std::string_view text, const EdgeField& field) {
  if constexpr (std::is_same_v<T, bool>) {
    return read_truth(text, field);
  } else if constexpr (std::is_floating_point_v<T>) {
    const auto value = static_cast<T>(read_real(unsigned_plus(text), field, text));
    if (!std::isfinite(value)) throw refusal(field, text, "is out of range");
    return value;
  } else {
    return read_whole_number<T>(unsigned_plus(text), field, text);
  }
}

}  // namespace

bool is_truth_word(std::string_view text) {
  return is_word(text, "true") || is_word(text, "false");
}

void read_field(std::string_view text, const EdgeField& field, std::byte* to) {
  if (text.empty()) throw LineError{fmt::format("'{}' is missing", field.name)};
  with_field_type(field.kind, [&]<class T>(T) {
    const T value = read_value<T>(text, field);
    if constexpr (std::is_signed_v<T> && !std::is_same_v<T, bool>)
      if (field.non_negative && value < 0)
        throw LineError{fmt::format("'{}' is {}, and must not be negative{}", field.name, value,
                                    field.reason.empty() ? "" : " (" + field.reason + ")")};
    std::memcpy(to, &value, sizeof value);
  });
}

void refuse_merging(DuplicatePolicy policy) {
  if (policy == DuplicatePolicy::Keep || policy == DuplicatePolicy::First) return;
  throw Error(ExitCode::Usage,
              "--duplicates: edges have attributes that are read by name; say keep or first");
}

void store_field(const Value& value, ScalarKind kind, std::byte* to) {
  with_field_type(kind, [&]<class T>(T) {
    const T typed = value.as<T>();
    std::memcpy(to, &typed, sizeof typed);
  });
}

}  // namespace vertigo::graph
