#pragma once
// Scalar arithmetic as the language defines it (docs/language.md, "numbers"). Written apart from
// what generated code uses: the interpreter is what generated code is compared with.

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "vertigo/core/scalar.h"
#include "vertigo/core/wide.h"

namespace vertigo::reference {

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

template <class T>
inline constexpr T kLowest =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::lowest();

/// Integers saturate at their range, and `inf` absorbs what is added, so that the distance of an
/// unreached vertex stays `inf` even along an edge of negative weight.
template <class T>
T add(T a, T b) {
  if constexpr (std::same_as<T, bool>) {
    return a || b;
  } else if constexpr (Integer<T>) {
    if (a == kInfinity<T> || b == kInfinity<T>) return kInfinity<T>;
    T sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return std::is_signed_v<T> && a < T{0} ? kLowest<T> : kInfinity<T>;
  } else {
    return a + b;
  }
}

/// One term more of a combined or reduced sum. Integers wrap around: saturation is not associative
/// where signs mix, and a sum must not depend on the order of its terms.
template <class T>
T accumulate(T sum, T term) {
  if constexpr (Integer<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(sum) + static_cast<Unsigned>(term));
  } else {
    return add(sum, term);
  }
}

template <class T>
T subtract(T a, T b) {
  if constexpr (Integer<T>) {
    if (a == kInfinity<T>) return a;
    T difference;
    if (!__builtin_sub_overflow(a, b, &difference)) return difference;
    return std::is_signed_v<T> && a >= T{0} ? kInfinity<T> : kLowest<T>;
  } else {
    return static_cast<T>(a - b);
  }
}

template <class T>
T multiply(T a, T b) {
  if constexpr (std::same_as<T, bool>) {
    return a && b;
  } else if constexpr (Integer<T>) {
    T product;
    if (!__builtin_mul_overflow(a, b, &product)) return product;
    return (a < T{0}) != (b < T{0}) ? kLowest<T> : kInfinity<T>;
  } else {
    return a * b;
  }
}

/// Integers: towards zero; by zero gives 0.
template <class T>
T divide(T a, T b) {
  if constexpr (std::integral<T>) {
    if (b == T{0}) return T{0};
    if constexpr (std::is_signed_v<T>)
      if (a == kLowest<T> && b == T{-1}) return kInfinity<T>;
  }
  return static_cast<T>(a / b);
}

/// Integers: the sign of the dividend; by zero gives 0.
template <class T>
  requires(!std::same_as<T, Wide64>)
T modulo(T a, T b) {
  if constexpr (std::integral<T>) {
    if (b == T{0}) return T{0};
    if constexpr (std::is_signed_v<T>)
      if (b == T{-1}) return T{0};
    return static_cast<T>(a % b);
  } else {
    return std::fmod(a, b);
  }
}

/// Bit by bit, as two's complement is defined; an amount of 0 or less leaves the value as it is.
template <Integer T>
T shift(T a, T by, bool left) {
  for (T moved{0}; moved < by; ++moved) {
    if (a == T{0} || (!left && a == static_cast<T>(-1) && std::is_signed_v<T>)) break;
    a = left ? static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) * 2)
             : static_cast<T>((a - static_cast<T>(a & 1)) / 2);
  }
  return a;
}

template <Integer T>
T count_ones(T a) {
  T ones{0};
  for (auto bits = static_cast<std::make_unsigned_t<T>>(a); bits != 0; bits &= bits - 1) ++ones;
  return ones;
}

template <class T>
T smaller(T a, T b) {
  return b < a ? b : a;
}

template <class T>
T larger(T a, T b) {
  return a < b ? b : a;
}

template <class T>
T negate(T a) {
  if constexpr (std::same_as<T, bool>)
    return a;
  else if constexpr (std::integral<T>)
    return subtract(T{0}, a);
  else
    return -a;  // 0 - 0 would be 0, and the opposite of 0 is -0
}

template <class T>
T magnitude(T a) {
  if constexpr (std::floating_point<T>)
    return std::fabs(a);
  else
    return a < T{0} ? negate(a) : a;
}

/// Clamps to the range of the target; NaN becomes 0. From wide64 by way of float64.
template <class To, class From>
To convert(From value) {
  if constexpr (std::same_as<To, From>) {
    return value;
  } else if constexpr (std::same_as<From, Wide64>) {
    return convert<To>(static_cast<double>(value));
  } else if constexpr (std::same_as<To, bool>) {
    return value != From{0};
  } else if constexpr (std::floating_point<To> || std::same_as<To, Wide64> ||
                       std::same_as<From, bool>) {
    return static_cast<To>(value);
  } else if constexpr (std::floating_point<From>) {
    if (value != value) return To{0};
    // The smallest power of two above To's range is exact in every floating type.
    const From above = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    if (value >= above) return std::numeric_limits<To>::max();
    if (value < static_cast<From>(std::numeric_limits<To>::lowest())) return kLowest<To>;
    return static_cast<To>(value);
  } else {
    if constexpr (std::is_signed_v<From>) {
      if (value < From{0}) {
        if constexpr (std::is_unsigned_v<To>) return To{0};
        if (static_cast<std::int64_t>(value) <
            static_cast<std::int64_t>(std::numeric_limits<To>::lowest()))
          return kLowest<To>;
        return static_cast<To>(value);
      }
    }
    const auto limit = static_cast<std::uint64_t>(std::numeric_limits<To>::max());
    return static_cast<std::uint64_t>(value) > limit ? std::numeric_limits<To>::max()
                                                     : static_cast<To>(value);
  }
}

}  // namespace vertigo::reference
