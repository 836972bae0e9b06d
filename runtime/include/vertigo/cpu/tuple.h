#pragma once
// Tuples of scalars in lexicographic order, and their form as one 64-bit word for inboxes.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vertigo::cpu {

template <class... Elements>
struct Tuple;

/// Two elements of 32 bits lie in one aligned word, so that they are read and written in one piece.
template <class A, class B>
struct alignas(sizeof(A) + sizeof(B) == 8 ? 8 : alignof(A)) Tuple<A, B> {
  A first;
  B second;

  friend bool operator==(const Tuple& a, const Tuple& b) {
    return a.first == b.first && a.second == b.second;
  }
  friend bool operator<(const Tuple& a, const Tuple& b) {
    return a.first < b.first || (a.first == b.first && a.second < b.second);
  }
};

template <class A, class B, class C, class... Rest>
struct Tuple<A, B, C, Rest...> {
  A first;
  Tuple<B, C, Rest...> rest;

  friend bool operator==(const Tuple& a, const Tuple& b) {
    return a.first == b.first && a.rest == b.rest;
  }
  friend bool operator<(const Tuple& a, const Tuple& b) {
    return a.first < b.first || (a.first == b.first && a.rest < b.rest);
  }
};

template <class... E>
inline bool operator>(const Tuple<E...>& a, const Tuple<E...>& b) {
  return b < a;
}
template <class... E>
inline bool operator<=(const Tuple<E...>& a, const Tuple<E...>& b) {
  return a < b || a == b;
}
template <class... E>
inline bool operator>=(const Tuple<E...>& a, const Tuple<E...>& b) {
  return b <= a;
}

/// Element `index` of the tuple.
template <std::size_t index, class A, class... Rest>
inline auto get(const Tuple<A, Rest...>& tuple) {
  if constexpr (index == 0)
    return tuple.first;
  else if constexpr (sizeof...(Rest) == 1)
    return tuple.second;
  else
    return get<index - 1>(tuple.rest);
}

namespace detail {

// A scalar of at most 32 bits as an unsigned word of the same order: signed numbers get their sign
// bit flipped, negative floating point all bits, so that the bit patterns ascend with the values.
template <class T>
inline std::uint32_t ordered_bits(T value) {
  if constexpr (std::is_same_v<T, float>) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint32_t>(value) ^ 0x80000000u;
  } else {
    return static_cast<std::uint32_t>(value);
  }
}

template <class T>
inline T from_ordered_bits(std::uint32_t bits) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>((bits >> 31) != 0 ? bits & 0x7fffffffu : ~bits);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(bits ^ 0x80000000u);
  } else {
    return static_cast<T>(bits);
  }
}

}  // namespace detail

/// A pair in one word whose unsigned order is the pair's: min and max of pairs are one atomic.
template <class A, class B>
struct Packed {
  static_assert(sizeof(A) <= 4 && sizeof(B) <= 4, "both elements fit one 64-bit word");
  std::uint64_t word;

  Packed() = default;
  Packed(const Tuple<A, B>& pair)  // NOLINT: the two are the same value
      : word(std::uint64_t{detail::ordered_bits(pair.first)} << 32 |
             detail::ordered_bits(pair.second)) {}
  operator Tuple<A, B>() const {  // NOLINT
    return {detail::from_ordered_bits<A>(static_cast<std::uint32_t>(word >> 32)),
            detail::from_ordered_bits<B>(static_cast<std::uint32_t>(word))};
  }
};

}  // namespace vertigo::cpu
