#pragma once
// Arithmetic of the language for generated code (docs/generated-primitives.md): integers saturate,
// `inf` absorbs what is added to it, division by zero gives 0, conversions clamp.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "vertigo/core/scalar.h"
#include "vertigo/core/wide.h"

namespace vertigo::cpu {

template <class T>
inline constexpr T kLowest =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::lowest();

template <class T>
inline T add_saturating(T a, T b) {
  T sum;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  if (a == kInfinity<T> || b == kInfinity<T>) return kInfinity<T>;
  if (!overflow) return sum;
  return std::is_signed_v<T> && a < T{0} ? kLowest<T> : kInfinity<T>;
}

template <class T>
inline T subtract_saturating(T a, T b) {
  if (a == kInfinity<T>) return a;
  T difference;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return std::is_signed_v<T> && a >= T{0} ? kInfinity<T> : kLowest<T>;
}

template <class T>
inline T multiply_saturating(T a, T b) {
  T product;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < T{0}) != (b < T{0}) ? kLowest<T> : kInfinity<T>;
}

template <class T>
inline T negate_saturating(T a) {
  return subtract_saturating(T{0}, a);
}

template <class T>
inline T absolute(T a) {
  if constexpr (std::is_same_v<T, float>)
    return __builtin_fabsf(a);
  else if constexpr (std::is_same_v<T, double>)
    return __builtin_fabs(a);
  else if constexpr (std::is_same_v<T, Wide64>)
    return a < T{0} ? -a : a;
  else
    return a < T{0} ? negate_saturating(a) : a;
}

/// Integers: towards zero; by zero gives 0.
template <class T>
inline T divide(T a, T b) {
  if (b == T{0}) return T{0};
  if constexpr (std::is_signed_v<T>)
    if (b == T{-1}) return negate_saturating(a);
  return static_cast<T>(a / b);
}

/// The sign of the dividend; integers: by zero gives 0.
template <class T>
inline T modulo(T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    return __builtin_fmodf(a, b);
  } else if constexpr (std::is_same_v<T, double>) {
    return __builtin_fmod(a, b);
  } else {
    if (b == T{0}) return T{0};
    if constexpr (std::is_signed_v<T>)
      if (b == T{-1}) return T{0};
    return static_cast<T>(a % b);
  }
}

/// An amount of 0 or less leaves the value as it is; one of all bits or more leaves no bit of it.
template <class T>
inline T shift_left(T a, T by) {
  if (by <= T{0}) return a;
  return by >= static_cast<T>(sizeof(T) * 8) ? T{0}
                                             : static_cast<T>(std::make_unsigned_t<T>(a) << by);
}
/// The same; the sign comes in from the left.
template <class T>
inline T shift_right(T a, T by) {
  constexpr T kLast = sizeof(T) * 8 - 1;
  if (by <= T{0}) return a;
  return by > kLast ? static_cast<T>(a < T{0} ? -1 : 0) : static_cast<T>(a >> by);
}
/// How many bits are 1.
template <class T>
inline T count_bits(T a) {
  return static_cast<T>(__builtin_popcountll(std::make_unsigned_t<T>(a)));
}

template <class T>
inline T minimum(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
inline T maximum(const T& a, const T& b) {
  return a < b ? b : a;
}

inline float square_root(float a) { return __builtin_sqrtf(a); }
inline double square_root(double a) { return __builtin_sqrt(a); }
inline float exponential(float a) { return __builtin_expf(a); }
inline double exponential(double a) { return __builtin_exp(a); }
inline float logarithm(float a) { return __builtin_logf(a); }
inline double logarithm(double a) { return __builtin_log(a); }

/// Clamps to the range of To; NaN becomes 0. From wide64 by way of float64.
template <class To, class From>
inline To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_same_v<From, Wide64>) {
    return convert<To>(static_cast<double>(value));
  } else if constexpr (std::is_floating_point_v<To> || std::is_same_v<To, Wide64> ||
                       std::is_same_v<From, bool>) {
    return static_cast<To>(value);
  } else if constexpr (std::is_floating_point_v<From>) {
    // Powers of two are exact in every floating type: the first value that is too large.
    constexpr From above =
        static_cast<From>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1)) * From{2};
    if (value != value) return To{0};
    if (value >= above) return std::numeric_limits<To>::max();
    if (value < static_cast<From>(std::numeric_limits<To>::lowest()))
      return std::numeric_limits<To>::lowest();
    return static_cast<To>(value);
  } else {
    using Limits = std::numeric_limits<To>;
    if constexpr (std::is_signed_v<From>) {
      if (value < From{0}) {
        if constexpr (!std::is_signed_v<To>) return To{0};
        if (static_cast<std::int64_t>(value) < static_cast<std::int64_t>(Limits::lowest()))
          return Limits::lowest();
        return static_cast<To>(value);
      }
    }
    if (static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(Limits::max()))
      return Limits::max();
    return static_cast<To>(value);
  }
}

}  // namespace vertigo::cpu
