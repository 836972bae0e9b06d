#pragma once
// Whether a weight is one of another kind, too.

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace vertigo::graph {

template <class To, class From>
bool fits(From value) {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    return std::in_range<To>(value);
  } else if constexpr (std::is_integral_v<To>) {
    // The upper bound is a power of two, exact in floating point; the largest integer itself may
    // not be.
    const auto upper = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    const From lower = std::is_signed_v<To> ? -upper : From{0};
    return value >= lower && value < upper && std::trunc(value) == value;
  } else {
    return std::isfinite(static_cast<To>(value));
  }
}

}  // namespace vertigo::graph
