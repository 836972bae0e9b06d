#pragma once
// Scalars as unsigned words of the same order, and tuples of them as one word: what inboxes of
// tuples hold on every target, so that the minimum and maximum of tuples are those of a word.

#include <cstdint>
#include <limits>

#include "vertigo/core/host_device.h"
#include "vertigo/core/wide.h"

namespace vertigo::detail {

/// 1 for bool, which has two values.
template <class T>
inline constexpr unsigned kOrderedBits =
    std::numeric_limits<T>::digits == 1 ? 1 : static_cast<unsigned>(sizeof(T)) * 8;

template <class To, class From>
VERTIGO_INLINED To image_of(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

/// Of floating-point numbers: negative ones have all bits turned around, others the sign alone.
VERTIGO_INLINED std::uint32_t ordered_image(std::uint32_t bits) {
  return bits ^ (bits >> 31 != 0 ? 0xffffffffu : 0x80000000u);
}
VERTIGO_INLINED std::uint64_t ordered_image(std::uint64_t bits) {
  return bits ^ (bits >> 63 != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}
VERTIGO_INLINED std::uint32_t plain_image(std::uint32_t bits) {
  return bits ^ (bits >> 31 != 0 ? 0x80000000u : 0xffffffffu);
}
VERTIGO_INLINED std::uint64_t plain_image(std::uint64_t bits) {
  return bits ^ (bits >> 63 != 0 ? std::uint64_t{1} << 63 : ~std::uint64_t{0});
}

/// Bits of a scalar whose unsigned order is the scalar's. Both zeros get the same bits, because
/// they are equal: else the second element would not be asked.
template <class T>
VERTIGO_INLINED std::uint64_t ordered_bits(T value) {
  using Limits = std::numeric_limits<T>;
  if constexpr (!Limits::is_integer && sizeof(T) == 4) {
    return ordered_image(image_of<std::uint32_t>(value + T{0}));
  } else if constexpr (!Limits::is_integer && Limits::digits == 53) {
    return ordered_image(image_of<std::uint64_t>(value + T{0}));
  } else if constexpr (!Limits::is_integer) {
    return ordered_image(value.bits());  // wide64 has one zero
  } else if constexpr (Limits::is_signed && sizeof(T) == 4) {
    return static_cast<std::uint32_t>(value) ^ 0x80000000u;
  } else if constexpr (Limits::is_signed) {
    return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
  } else {
    return value;
  }
}

template <class T>
VERTIGO_INLINED T from_ordered_bits(std::uint64_t bits) {
  using Limits = std::numeric_limits<T>;
  if constexpr (!Limits::is_integer && sizeof(T) == 4) {
    return image_of<T>(plain_image(static_cast<std::uint32_t>(bits)));
  } else if constexpr (!Limits::is_integer && Limits::digits == 53) {
    return image_of<T>(plain_image(bits));
  } else if constexpr (!Limits::is_integer) {
    return T::from_bits(plain_image(bits));
  } else if constexpr (Limits::is_signed && sizeof(T) == 4) {
    return static_cast<T>(static_cast<std::uint32_t>(bits) ^ 0x80000000u);
  } else if constexpr (Limits::is_signed) {
    return static_cast<T>(bits ^ (std::uint64_t{1} << 63));
  } else {
    return static_cast<T>(bits);
  }
}

template <bool kWide>
struct WordOfTuple {
  using Type = std::uint64_t;
};
template <>
struct WordOfTuple<true> {
  using Type = unsigned __int128;
};

/// The word that holds elements E...: the first in the highest bits.
template <class... E>
struct TupleWord {
  static constexpr unsigned kWidth = (kOrderedBits<E> + ...);
  static_assert(kWidth <= 128, "no word is as wide as this tuple");
  using Type = typename WordOfTuple<(kWidth > 64)>::Type;

  VERTIGO_INLINED static Type of(E... elements) {
    Type word = 0;
    // A shift by all bits of the word has no meaning; the first element, which may fill the word,
    // is shifted by nothing.
    unsigned below = kWidth;
    ((below -= kOrderedBits<E>, word |= static_cast<Type>(ordered_bits(elements)) << below), ...);
    return word;
  }
};

/// Splits a word into elements, the last one from the lowest bits.
template <class... E>
struct ElementsOfWord;
template <>
struct ElementsOfWord<> {
  static constexpr unsigned kWidth = 0;
  template <class Result, class Word, class... Done>
  VERTIGO_INLINED static Result run(Word, Done... done) {
    return Result(done...);
  }
};
template <class First, class... Rest>
struct ElementsOfWord<First, Rest...> {
  static constexpr unsigned kBelow = ElementsOfWord<Rest...>::kWidth;
  static constexpr unsigned kWidth = kOrderedBits<First> + kBelow;
  template <class Result, class Word, class... Done>
  VERTIGO_INLINED static Result run(Word word, Done... done) {
    const auto bits = static_cast<std::uint64_t>(word >> kBelow) &
                      (~std::uint64_t{0} >> (64 - kOrderedBits<First>));
    return ElementsOfWord<Rest...>::template run<Result>(word, done...,
                                                         from_ordered_bits<First>(bits));
  }
};

}  // namespace vertigo::detail
