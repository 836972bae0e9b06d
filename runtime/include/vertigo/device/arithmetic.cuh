#pragma once
// Arithmetic as docs/language.md defines it: integer sums, differences and products saturate at the
// range of their type, adding to `inf` gives `inf`, division by zero has a value, conversions
// clamp. The host versions serve the host level of generated programs and give the same bits.

#include <cstdint>

#include "vertigo/core/host_device.h"
#include "vertigo/core/scalar.h"
#include "vertigo/core/wide.h"

#ifndef __CUDACC__
#include <cmath>  // nvcc brings its own
#endif

namespace vertigo::gpu {

/// The identity of a maximum.
template <class T>
inline constexpr T kLowest =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::lowest();

namespace detail {

template <class T>
inline constexpr bool kIsFloat = !std::numeric_limits<T>::is_integer;
template <class T>
inline constexpr bool kIsBool = std::numeric_limits<T>::digits == 1;
template <class T>
inline constexpr bool kIsSigned = std::numeric_limits<T>::is_signed;
/// Both ends of a finite range.
template <class T>
inline constexpr T kStart = std::numeric_limits<T>::lowest();
template <class T>
inline constexpr T kEnd = std::numeric_limits<T>::max();

template <class T>
struct Identity {
  using Type = T;
};
/// T, but never deduced: arguments convert to what the slot holds.
template <class T>
using Same = typename Identity<T>::Type;

/// The same bytes as another type. Not __builtin_bit_cast: nvcc 13.0 asserts on it.
template <class To, class From>
VERTIGO_INLINED To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

/// The upper half of the 128-bit product, read as T's sign says.
VERTIGO_INLINED std::int64_t high_product(std::int64_t a, std::int64_t b) {
#ifdef __CUDA_ARCH__
  return __mul64hi(a, b);
#else
  return static_cast<std::int64_t>((static_cast<__int128>(a) * b) >> 64);
#endif
}
VERTIGO_INLINED std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

/// a + b held at the ends of the range, `inf` like any other number.
template <class T>
VERTIGO_INLINED T add_clamped(T a, T b) {
  if constexpr (kIsFloat<T>) {
    return a + b;
  } else if constexpr (!kIsSigned<T>) {
    const T sum = a + b;
    return sum < a ? kInfinity<T> : sum;
  } else {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
      T sum;
      asm("add.sat.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
      return sum;
    }
#endif
    if (b >= 0 && a > kInfinity<T> - b) return kInfinity<T>;
    if (b < 0 && a < kLowest<T> - b) return kLowest<T>;
    return a + b;
  }
}

}  // namespace detail

template <class T>
VERTIGO_INLINED T add_saturating(T a, T b) {
  return a == kInfinity<T> || b == kInfinity<T> ? kInfinity<T> : detail::add_clamped(a, b);
}

template <class T>
VERTIGO_INLINED T subtract_saturating(T a, T b) {
  if (a == kInfinity<T>) return a;
  if constexpr (!detail::kIsSigned<T>) {
    return a < b ? T{0} : a - b;
  } else {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
      T difference;
      asm("sub.sat.s32 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
      return difference;
    }
#endif
    if (b < 0 && a > kInfinity<T> + b) return kInfinity<T>;
    if (b >= 0 && a < kLowest<T> + b) return kLowest<T>;
    return a - b;
  }
}

template <class T>
VERTIGO_INLINED T multiply_saturating(T a, T b) {
  if constexpr (sizeof(T) == 4 && detail::kIsSigned<T>) {
    const std::int64_t product = std::int64_t{a} * b;
    if (product > kInfinity<T>) return kInfinity<T>;
    return product < kLowest<T> ? kLowest<T> : static_cast<T>(product);
  } else if constexpr (sizeof(T) == 4) {
    const std::uint64_t product = std::uint64_t{a} * b;
    return product > kInfinity<T> ? kInfinity<T> : static_cast<T>(product);
  } else if constexpr (detail::kIsSigned<T>) {
    const auto low =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    if (detail::high_product(a, b) == (low >> 63)) return low;
    return (a < 0) == (b < 0) ? kInfinity<T> : kLowest<T>;
  } else {
    return detail::high_product(a, b) != 0 ? kInfinity<T> : a * b;
  }
}

template <class T>
VERTIGO_INLINED T negate_saturating(T a) {
  return subtract_saturating(T{0}, a);
}

/// Integers: towards zero, and 0 where b is 0.
template <class T>
VERTIGO_INLINED T divide(T a, T b) {
  if constexpr (detail::kIsFloat<T>) {
    return a / b;
  } else {
    if (b == T{0}) return T{0};
    if constexpr (detail::kIsSigned<T>) {
      if (a == kLowest<T> && b == T{-1}) return kInfinity<T>;
    }
    return a / b;
  }
}

/// With the sign of a; integers: 0 where b is 0.
template <class T>
VERTIGO_INLINED T modulo(T a, T b) {
  if constexpr (detail::kIsFloat<T>) {
    return std::fmod(a, b);
  } else {
    if (b == T{0}) return T{0};
    if constexpr (detail::kIsSigned<T>) {
      if (b == T{-1}) return T{0};
    }
    return a % b;
  }
}

/// An amount of 0 or less leaves the value as it is; one of all bits or more leaves no bit of it.
template <class T>
VERTIGO_INLINED T shift_left(T a, T by) {
  if (by <= T{0}) return a;
  if (by >= static_cast<T>(sizeof(T) * 8)) return T{0};
  return static_cast<T>(static_cast<std::uint64_t>(a) << by);
}

/// The same; the sign comes in from the left.
template <class T>
VERTIGO_INLINED T shift_right(T a, T by) {
  if (by <= T{0}) return a;
  if (by >= static_cast<T>(sizeof(T) * 8)) return a < T{0} ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> by);
}

/// How many bits are 1.
template <class T>
VERTIGO_INLINED T count_bits(T a) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(__popc(static_cast<unsigned>(a)));
  else
    return static_cast<T>(__popcll(static_cast<unsigned long long>(a)));
#else
  if constexpr (sizeof(T) == 4)
    return static_cast<T>(__builtin_popcount(static_cast<unsigned>(a)));
  else
    return static_cast<T>(__builtin_popcountll(static_cast<unsigned long long>(a)));
#endif
}

template <class T>
VERTIGO_INLINED T absolute(T a) {
  if constexpr (__is_same(T, Wide64))
    return a < T{0} ? -a : a;
  else if constexpr (detail::kIsFloat<T>)
    return std::fabs(a);
  else
    return a < T{0} ? negate_saturating(a) : a;
}

template <class T>
VERTIGO_INLINED T square_root(T a) {
  return std::sqrt(a);
}
template <class T>
VERTIGO_INLINED T exponential(T a) {
  return std::exp(a);
}
template <class T>
VERTIGO_INLINED T logarithm(T a) {
  return std::log(a);
}

template <class T>
VERTIGO_INLINED T minimum(T a, T b) {
  return b < a ? b : a;
}

template <class T>
VERTIGO_INLINED T maximum(T a, T b) {
  return a < b ? b : a;
}

/// `value` as a To: fractions towards zero, NaN to 0, what does not fit to the nearer end. From
/// wide64 by way of float64.
template <class To, class From>
VERTIGO_INLINED To convert(From value) {
  if constexpr (detail::kIsBool<To>) {
    return value != From{0};
  } else if constexpr (__is_same(From, Wide64) && !detail::kIsFloat<To>) {
    return convert<To>(static_cast<double>(value));
  } else if constexpr (detail::kIsFloat<To> || detail::kIsBool<From>) {
    return static_cast<To>(value);
  } else if constexpr (detail::kIsFloat<From>) {
    if (value != value) return To{0};
    // The smallest power of two above To's range is exact in every floating type.
    constexpr From kAbove =
        static_cast<From>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1)) * 2;
    if (value >= kAbove) return detail::kEnd<To>;
    if (value < static_cast<From>(detail::kStart<To>)) return kLowest<To>;
    return static_cast<To>(value);
  } else {
    if constexpr (detail::kIsSigned<From>) {
      if (value < From{0}) {
        if constexpr (!detail::kIsSigned<To>) return To{0};
        const bool fits = std::int64_t{value} >= static_cast<std::int64_t>(detail::kStart<To>);
        return fits ? static_cast<To>(value) : kLowest<To>;
      }
    }
    const bool fits =
        static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(detail::kEnd<To>);
    return fits ? static_cast<To>(value) : detail::kEnd<To>;
  }
}

}  // namespace vertigo::gpu
