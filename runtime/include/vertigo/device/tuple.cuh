#pragma once
// Tuples, ordered lexicographically, and their packed form: one word whose unsigned order is the
// tuple's order, so that the hardware's own atomic minimum and maximum work on it where it has 64
// bits; wider ones are exchanged by comparing (wide_atomics.cuh).

#include <cstdint>

#include "vertigo/core/ordered_bits.h"
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
    return a.first < b.first || (a.first == b.first && a.rest < b.rest);
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

template <unsigned kBytes>
inline constexpr unsigned kTupleAlignment = kBytes <= 4    ? 4
                                            : kBytes <= 8  ? 8
                                            : kBytes <= 16 ? 16
                                                           : 8;

}  // namespace detail

/// Aligned so that a tuple of up to 16 bytes is read and written in one piece.
template <class... E>
struct alignas(detail::kTupleAlignment<sizeof(detail::Elements<E...>)>) Tuple
    : detail::Elements<E...> {
  Tuple() = default;
  VERTIGO_INLINED constexpr Tuple(E... elements) : detail::Elements<E...>(elements...) {}

  VERTIGO_INLINED friend bool operator!=(const Tuple& a, const Tuple& b) { return !(a == b); }
  VERTIGO_INLINED friend bool operator>(const Tuple& a, const Tuple& b) { return b < a; }
  VERTIGO_INLINED friend bool operator<=(const Tuple& a, const Tuple& b) { return a < b || a == b; }
  VERTIGO_INLINED friend bool operator>=(const Tuple& a, const Tuple& b) { return b <= a; }
};

/// Whether there are bytes between elements that belong to none.
template <class T>
inline constexpr bool kHasPadding = false;
template <class... E>
inline constexpr bool kHasPadding<Tuple<E...>> = sizeof(Tuple<E...>) > (sizeof(E) + ...);

/// Element `kIndex`, counted from 0.
template <unsigned kIndex, class... E>
VERTIGO_INLINED constexpr auto get(const Tuple<E...>& tuple) {
  return tuple.template at<kIndex>();
}

/// What `min` takes of a tuple. One that holds NaN stands in no order, so that which one of several
/// remained would depend on who came first: what `min` begins with takes its place.
template <class... E>
VERTIGO_INLINED Tuple<E...> for_min(const Tuple<E...>& value) {
  return value == value ? value : Tuple<E...>(kInfinity<E>...);
}
/// The same for `max`.
template <class... E>
VERTIGO_INLINED Tuple<E...> for_max(const Tuple<E...>& value) {
  return value == value ? value : Tuple<E...>(kLowest<E>...);
}

namespace detail {

template <class Word, class... E, class... Done>
VERTIGO_INLINED Word word_of(const Tuple<E...>& tuple, Done... done) {
  if constexpr (sizeof...(Done) == sizeof...(E))
    return vertigo::detail::TupleWord<E...>::of(done...);
  else
    return word_of<Word>(tuple, done..., get<sizeof...(Done)>(tuple));
}

}  // namespace detail

/// A tuple of at most 128 bits as one word, of 64 bits where they are enough.
template <class... E>
struct Packed {
  using Word = typename vertigo::detail::TupleWord<E...>::Type;
  Word word;

  Packed() = default;
  VERTIGO_INLINED Packed(const Tuple<E...>& tuple) : word(detail::word_of<Word>(tuple)) {}
  VERTIGO_INLINED operator Tuple<E...>() const {
    return vertigo::detail::ElementsOfWord<E...>::template run<Tuple<E...>>(word);
  }
  VERTIGO_INLINED friend bool operator<(Packed a, Packed b) { return a.word < b.word; }
  VERTIGO_INLINED friend bool operator==(Packed a, Packed b) { return a.word == b.word; }
};

/// Where element `kIndex` lies in a tuple.
template <unsigned kIndex, class... E>
unsigned element_offset() {
  const Tuple<E...> tuple{};
  return static_cast<unsigned>(reinterpret_cast<const char*>(&tuple.template at<kIndex>()) -
                               reinterpret_cast<const char*>(&tuple));
}

}  // namespace vertigo::gpu
