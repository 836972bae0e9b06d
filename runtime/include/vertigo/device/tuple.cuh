#pragma once
// Tuples, ordered lexicographically, and their packed form: one 64-bit word whose unsigned order is
// the tuple's order, so that the hardware's own atomic minimum and maximum work on it.

#include <cstdint>

#include "vertigo/device/arithmetic.cuh"

namespace vertigo::gpu {

namespace detail {

/// The last element ends the chain: an empty base case would cost every tuple a word.
template <class First, class... Rest>
struct Elements {
  First first;
  Elements<Rest...> rest;
  Elements() = default;
  VERTIGO_INLINED constexpr Elements(First f, Rest... r) : first(f), rest(r...) {}
  template <unsigned kIndex>
  VERTIGO_INLINED constexpr const auto& at() const {
    if constexpr (kIndex == 0)
      return first;
    else
      return rest.template at<kIndex - 1>();
  }
  VERTIGO_INLINED friend bool operator<(const Elements& a, const Elements& b) {
    return a.first < b.first || (!(b.first < a.first) && a.rest < b.rest);
  }
  VERTIGO_INLINED friend bool operator==(const Elements& a, const Elements& b) {
    return a.first == b.first && a.rest == b.rest;
  }
};
template <class Last>
struct Elements<Last> {
  Last first;
  Elements() = default;
  VERTIGO_INLINED constexpr Elements(Last f) : first(f) {}
  template <unsigned kIndex>
  VERTIGO_INLINED constexpr const auto& at() const {
    return first;
  }
  VERTIGO_INLINED friend bool operator<(const Elements& a, const Elements& b) {
    return a.first < b.first;
  }
  VERTIGO_INLINED friend bool operator==(const Elements& a, const Elements& b) {
    return a.first == b.first;
  }
};

}  // namespace detail

/// Aligned so that a tuple of up to 64 bits is one word to loads, stores and compare-and-swap.
template <class... E>
struct alignas((sizeof(E) + ...) <= 4 ? 4 : 8) Tuple : detail::Elements<E...> {
  Tuple() = default;
  VERTIGO_INLINED constexpr Tuple(E... elements) : detail::Elements<E...>(elements...) {}

  VERTIGO_INLINED friend bool operator!=(const Tuple& a, const Tuple& b) { return !(a == b); }
  VERTIGO_INLINED friend bool operator>(const Tuple& a, const Tuple& b) { return b < a; }
  VERTIGO_INLINED friend bool operator<=(const Tuple& a, const Tuple& b) { return !(b < a); }
  VERTIGO_INLINED friend bool operator>=(const Tuple& a, const Tuple& b) { return !(a < b); }
};

/// Element `kIndex`, counted from 0.
template <unsigned kIndex, class... E>
VERTIGO_INLINED constexpr auto get(const Tuple<E...>& tuple) {
  return tuple.template at<kIndex>();
}

namespace detail {

template <class T>
inline constexpr unsigned kBits = kIsBool<T> ? 1 : sizeof(T) * 8;

/// Bits of a scalar whose unsigned order is the scalar's order. Both zeros get the same bits.
template <class T>
VERTIGO_INLINED std::uint64_t ordered_bits(T value) {
  if constexpr (kIsFloat<T> && sizeof(T) == 4) {
    const auto bits = bits_as<std::uint32_t>(value + T{0});
    return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
  } else if constexpr (kIsFloat<T>) {
    const auto bits = bits_as<std::uint64_t>(value + T{0});
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
VERTIGO_INLINED T from_ordered_bits(std::uint64_t bits) {
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

template <unsigned kIndex, class... E>
VERTIGO_INLINED std::uint64_t pack_from(const Tuple<E...>& tuple, std::uint64_t word) {
  if constexpr (kIndex == sizeof...(E)) {
    return word;
  } else {
    const auto element = get<kIndex>(tuple);
    return pack_from<kIndex + 1>(tuple,
                                 (word << (kBits<decltype(element)> % 64)) | ordered_bits(element));
  }
}

/// Splits a word into elements, the last one from the lowest bits.
template <class... E>
struct Unpack;
template <>
struct Unpack<> {
  static constexpr unsigned kWidth = 0;
  template <class Result, class... Done>
  VERTIGO_INLINED static Result run(std::uint64_t, Done... done) {
    return Result(done...);
  }
};
template <class First, class... Rest>
struct Unpack<First, Rest...> {
  static constexpr unsigned kBelow = Unpack<Rest...>::kWidth;
  static constexpr unsigned kWidth = kBits<First> + kBelow;
  template <class Result, class... Done>
  VERTIGO_INLINED static Result run(std::uint64_t word, Done... done) {
    const std::uint64_t bits = (word >> kBelow) & (~std::uint64_t{0} >> (64 - kBits<First>));
    return Unpack<Rest...>::template run<Result>(word, done..., from_ordered_bits<First>(bits));
  }
};

}  // namespace detail

/// A tuple of at most 64 bits as one word.
template <class... E>
struct Packed {
  static_assert(detail::Unpack<E...>::kWidth <= 64);
  std::uint64_t word;

  Packed() = default;
  VERTIGO_INLINED Packed(const Tuple<E...>& tuple) : word(detail::pack_from<0>(tuple, 0)) {}
  VERTIGO_INLINED operator Tuple<E...>() const {
    return detail::Unpack<E...>::template run<Tuple<E...>>(word);
  }
  VERTIGO_INLINED friend bool operator<(Packed a, Packed b) { return a.word < b.word; }
  VERTIGO_INLINED friend bool operator==(Packed a, Packed b) { return a.word == b.word; }
};

}  // namespace vertigo::gpu
