#pragma once
// Arithmetic as the language defines it: integer sums, differences and products saturate at the
// range of their type, division and modulo by zero have a value, conversions saturate. The host
// versions serve the host level of generated programs and give the same bits.

#include <cmath>
#include <cstdint>
#include <cstring>

#include "vertigo/core/scalar.h"

#define VERTIGO_BOTH __host__ __device__ __forceinline__

namespace vertigo::gpu {

namespace detail {

template <class T>
inline constexpr bool kIsFloat = !std::numeric_limits<T>::is_integer;
template <class T>
inline constexpr bool kIsSigned = std::numeric_limits<T>::is_signed;
template <class T>
inline constexpr T kHighest = std::numeric_limits<T>::max();
template <class T>
inline constexpr T kLowest = std::numeric_limits<T>::lowest();

/// The same bytes as another type. Not __builtin_bit_cast: nvcc 13.0 asserts on it.
template <class To, class From>
VERTIGO_BOTH To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

/// The upper half of the 128-bit product, read as T's sign says.
VERTIGO_BOTH std::int64_t high_product(std::int64_t a, std::int64_t b) {
#ifdef __CUDA_ARCH__
  return __mul64hi(a, b);
#else
  return static_cast<std::int64_t>((static_cast<__int128>(a) * b) >> 64);
#endif
}
VERTIGO_BOTH std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

}  // namespace detail

/// a + b, held at the ends of T's range.
template <class T>
VERTIGO_BOTH T add(T a, T b) {
  if constexpr (detail::kIsFloat<T>) {
    return a + b;
  } else if constexpr (!detail::kIsSigned<T>) {
    const T sum = a + b;
    return sum < a ? detail::kHighest<T> : sum;
  } else {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
      T sum;
      asm("add.sat.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
      return sum;
    }
#endif
    if (b >= 0 && a > detail::kHighest<T> - b) return detail::kHighest<T>;
    if (b < 0 && a < detail::kLowest<T> - b) return detail::kLowest<T>;
    return a + b;
  }
}

/// a - b, held at the ends of T's range.
template <class T>
VERTIGO_BOTH T subtract(T a, T b) {
  if constexpr (detail::kIsFloat<T>) {
    return a - b;
  } else if constexpr (!detail::kIsSigned<T>) {
    return a < b ? T{0} : a - b;
  } else {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
      T difference;
      asm("sub.sat.s32 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
      return difference;
    }
#endif
    if (b < 0 && a > detail::kHighest<T> + b) return detail::kHighest<T>;
    if (b >= 0 && a < detail::kLowest<T> + b) return detail::kLowest<T>;
    return a - b;
  }
}

/// a * b, held at the ends of T's range.
template <class T>
VERTIGO_BOTH T multiply(T a, T b) {
  if constexpr (detail::kIsFloat<T>) {
    return a * b;
  } else if constexpr (sizeof(T) == 4 && detail::kIsSigned<T>) {
    const std::int64_t product = std::int64_t{a} * b;
    if (product > detail::kHighest<T>) return detail::kHighest<T>;
    return product < detail::kLowest<T> ? detail::kLowest<T> : static_cast<T>(product);
  } else if constexpr (sizeof(T) == 4) {
    const std::uint64_t product = std::uint64_t{a} * b;
    return product > detail::kHighest<T> ? detail::kHighest<T> : static_cast<T>(product);
  } else if constexpr (detail::kIsSigned<T>) {
    const std::int64_t low =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    if (detail::high_product(a, b) == (low >> 63)) return low;
    return (a < 0) == (b < 0) ? detail::kHighest<T> : detail::kLowest<T>;
  } else {
    return detail::high_product(a, b) != 0 ? detail::kHighest<T> : a * b;
  }
}

/// a / b. Integers: towards zero, 0 where b is 0, saturating where the quotient does not fit.
template <class T>
VERTIGO_BOTH T divide(T a, T b) {
  if constexpr (detail::kIsFloat<T>) {
    return a / b;
  } else {
    if (b == 0) return 0;
    if constexpr (detail::kIsSigned<T>) {
      if (b == -1) return a == detail::kLowest<T> ? detail::kHighest<T> : -a;
    }
    return a / b;
  }
}

/// The remainder of divide(a, b), with the sign of a; 0 where b is 0.
template <class T>
VERTIGO_BOTH T modulo(T a, T b) {
  if constexpr (detail::kIsFloat<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) return 0;
    if constexpr (detail::kIsSigned<T>) {
      if (b == -1) return 0;
    }
    return a % b;
  }
}

/// -a, held at the ends of T's range.
template <class T>
VERTIGO_BOTH T negate(T a) {
  if constexpr (detail::kIsFloat<T>)
    return -a;
  else
    return subtract(T{0}, a);
}

template <class T>
VERTIGO_BOTH T absolute(T a) {
  if constexpr (detail::kIsFloat<T>)
    return std::fabs(a);
  else
    return a < 0 ? negate(a) : a;
}

template <class T>
VERTIGO_BOTH T minimum(T a, T b) {
  return b < a ? b : a;
}

template <class T>
VERTIGO_BOTH T maximum(T a, T b) {
  return a < b ? b : a;
}

/// `value` as a To: fractions towards zero, NaN to 0, what does not fit to the nearer end.
template <class To, class From>
VERTIGO_BOTH To convert(From value) {
  if constexpr (detail::kIsFloat<To> || std::numeric_limits<From>::digits == 1) {
    return static_cast<To>(value);
  } else if constexpr (std::numeric_limits<To>::digits == 1) {
    return value != From{0};
  } else if constexpr (detail::kIsFloat<From>) {
    if (!(value == value)) return 0;
    if (value >= static_cast<From>(detail::kHighest<To>)) return detail::kHighest<To>;
    if (value <= static_cast<From>(detail::kLowest<To>)) return detail::kLowest<To>;
    return static_cast<To>(value);
  } else {
    if constexpr (detail::kIsSigned<From>) {
      if constexpr (!detail::kIsSigned<To>) {
        if (value < 0) return 0;
        if constexpr (sizeof(From) > sizeof(To))
          if (value > static_cast<From>(detail::kHighest<To>)) return detail::kHighest<To>;
        return static_cast<To>(value);
      } else {
        if (sizeof(From) > sizeof(To) && value < static_cast<From>(detail::kLowest<To>))
          return detail::kLowest<To>;
        if (sizeof(From) > sizeof(To) && value > static_cast<From>(detail::kHighest<To>))
          return detail::kHighest<To>;
        return static_cast<To>(value);
      }
    } else {
      using Wide = std::uint64_t;
      return Wide{value} > static_cast<Wide>(detail::kHighest<To>) ? detail::kHighest<To>
                                                                   : static_cast<To>(value);
    }
  }
}

}  // namespace vertigo::gpu
