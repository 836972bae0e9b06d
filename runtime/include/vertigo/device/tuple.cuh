#pragma once
// Tuples, ordered lexicographically. One that fits into 64 bits is kept as a single word whose
// unsigned order is the tuple's order, so that the hardware's own atomic minimum and maximum work
// on it; a wider one is a plain structure.

#include <cstdint>

#include "vertigo/device/arithmetic.cuh"

namespace vertigo::gpu {

namespace detail {

template <class T>
inline constexpr unsigned kBits = std::numeric_limits<T>::digits == 1 ? 1 : sizeof(T) * 8;

/// Bits of a scalar whose unsigned order is the scalar's order.
template <class T>
VERTIGO_BOTH std::uint64_t ordered_bits(T value) {
  if constexpr (kIsFloat<T> && sizeof(T) == 4) {
    const auto bits = bits_as<std::uint32_t>(value);
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
  } else if constexpr (kIsFloat<T>) {
    const auto bits = bits_as<std::uint64_t>(value);
    return bits ^ (bits >> 63 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
  } else if constexpr (kIsSigned<T> && sizeof(T) == 4) {
    return static_cast<std::uint32_t>(value) ^ 0x80000000u;
  } else if constexpr (kIsSigned<T>) {
    return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
  } else {
    return value;
  }
}

template <class T>
VERTIGO_BOTH T from_ordered_bits(std::uint64_t bits) {
  if constexpr (kIsFloat<T> && sizeof(T) == 4) {
    const auto word = static_cast<std::uint32_t>(bits);
    return bits_as<float>(word ^ (word >> 31 ? 0x80000000u : 0xffffffffu));
  } else if constexpr (kIsFloat<T>) {
    return bits_as<double>(bits ^ (bits >> 63 ? std::uint64_t{1} << 63 : ~std::uint64_t{0}));
  } else if constexpr (kIsSigned<T> && sizeof(T) == 4) {
    return static_cast<T>(static_cast<std::uint32_t>(bits) ^ 0x80000000u);
  } else if constexpr (kIsSigned<T>) {
    return static_cast<T>(bits ^ (std::uint64_t{1} << 63));
  } else {
    return static_cast<T>(bits);
  }
}

template <unsigned kIndex, class First, class... Rest>
struct ElementOf {
  using Type = typename ElementOf<kIndex - 1, Rest...>::Type;
};
template <class First, class... Rest>
struct ElementOf<0, First, Rest...> {
  using Type = First;
};

/// Bits of all elements, first one highest.
template <class... E>
struct Packed;
template <>
struct Packed<> {
  static constexpr unsigned kWidth = 0;
  VERTIGO_BOTH static std::uint64_t pack() { return 0; }
};
template <class First, class... Rest>
struct Packed<First, Rest...> {
  static constexpr unsigned kBelow = Packed<Rest...>::kWidth;
  static constexpr unsigned kWidth = kBits<First> + kBelow;
  VERTIGO_BOTH static std::uint64_t pack(First first, Rest... rest) {
    return (ordered_bits(first) << kBelow) | Packed<Rest...>::pack(rest...);
  }
  template <unsigned kIndex>
  VERTIGO_BOTH static auto get(std::uint64_t word) {
    if constexpr (kIndex == 0)
      return from_ordered_bits<First>((word >> kBelow) &
                                      (~std::uint64_t{0} >> (64 - kBits<First>)));
    else
      return Packed<Rest...>::template get<kIndex - 1>(word);
  }
};

template <class... E>
struct Wide;
template <>
struct Wide<> {
  VERTIGO_BOTH friend bool operator<(Wide, Wide) { return false; }
  VERTIGO_BOTH friend bool operator==(Wide, Wide) { return true; }
};
template <class First, class... Rest>
struct Wide<First, Rest...> {
  First first;
  Wide<Rest...> rest;
  Wide() = default;
  VERTIGO_BOTH Wide(First f, Rest... r) : first(f), rest(r...) {}
  template <unsigned kIndex>
  VERTIGO_BOTH auto get() const {
    if constexpr (kIndex == 0)
      return first;
    else
      return rest.template get<kIndex - 1>();
  }
  VERTIGO_BOTH friend bool operator<(const Wide& a, const Wide& b) {
    return a.first < b.first || (!(b.first < a.first) && a.rest < b.rest);
  }
  VERTIGO_BOTH friend bool operator==(const Wide& a, const Wide& b) {
    return a.first == b.first && a.rest == b.rest;
  }
};

template <class... E>
struct Narrow {
  std::uint64_t word;
  Narrow() = default;
  VERTIGO_BOTH Narrow(E... elements) : word(Packed<E...>::pack(elements...)) {}
  template <unsigned kIndex>
  VERTIGO_BOTH auto get() const {
    return Packed<E...>::template get<kIndex>(word);
  }
  VERTIGO_BOTH friend bool operator<(Narrow a, Narrow b) { return a.word < b.word; }
  VERTIGO_BOTH friend bool operator==(Narrow a, Narrow b) { return a.word == b.word; }
};

template <bool kFits, class... E>
struct TupleOf {
  using Type = Wide<E...>;
};
template <class... E>
struct TupleOf<true, E...> {
  using Type = Narrow<E...>;
};

}  // namespace detail

/// A tuple of scalars. Comparison is lexicographic; -0.0 counts as less than 0.0 in a packed one.
template <class... E>
using Tuple = typename detail::TupleOf<(detail::Packed<E...>::kWidth <= 64), E...>::Type;

/// Element `kIndex`, counted from 0.
template <unsigned kIndex, class T>
VERTIGO_BOTH auto get(const T& tuple) {
  return tuple.template get<kIndex>();
}

}  // namespace vertigo::gpu
