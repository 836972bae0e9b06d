#pragma once
// Tuples of scalars in lexicographic order, and their form as one word for inboxes.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "vertigo/core/ordered_bits.h"
#include "vertigo/cpu/arithmetic.h"

namespace vertigo::cpu {

namespace detail {

template <class First, class... Rest>
struct Elements {
  First first;
  Elements<Rest...> rest;
  Elements() = default;
  constexpr Elements(First f, Rest... r) : first(f), rest(r...) {}

  template <std::size_t kIndex>
  constexpr const auto& at() const {
    if constexpr (kIndex == 0)
      return first;
    else
      return rest.template at<kIndex - 1>();
  }
  friend bool operator==(const Elements& a, const Elements& b) {
    return a.first == b.first && a.rest == b.rest;
  }
  friend bool operator<(const Elements& a, const Elements& b) {
    return a.first < b.first || (a.first == b.first && a.rest < b.rest);
  }
};
/// The last element ends the chain: an empty base case would cost every tuple a word.
template <class Last>
struct Elements<Last> {
  Last first;
  Elements() = default;
  constexpr Elements(Last f) : first(f) {}  // NOLINT: the chain's end is its element

  template <std::size_t kIndex>
  constexpr const auto& at() const {
    return first;
  }
  friend bool operator==(const Elements& a, const Elements& b) { return a.first == b.first; }
  friend bool operator<(const Elements& a, const Elements& b) { return a.first < b.first; }
};

/// A tuple of up to 16 bytes is read and written in one piece.
template <class E>
inline constexpr std::size_t kTupleAlignment = sizeof(E) > 16  ? alignof(E)
                                               : sizeof(E) > 8 ? 16
                                               : sizeof(E) > 4 ? 8
                                                               : alignof(E);

}  // namespace detail

template <class... E>
struct alignas(detail::kTupleAlignment<detail::Elements<E...>>) Tuple : detail::Elements<E...> {
  Tuple() = default;
  constexpr Tuple(E... elements) : detail::Elements<E...>(elements...) {}

  friend bool operator>(const Tuple& a, const Tuple& b) { return b < a; }
  friend bool operator<=(const Tuple& a, const Tuple& b) { return a < b || a == b; }
  friend bool operator>=(const Tuple& a, const Tuple& b) { return b <= a; }
};

/// Element `index` of the tuple.
template <std::size_t index, class... E>
inline auto get(const Tuple<E...>& tuple) {
  return tuple.template at<index>();
}

/// What `min` takes of a tuple. One that holds NaN stands in no order, so that which one of several
/// remained would depend on who came first: what `min` begins with takes its place.
template <class... E>
inline Tuple<E...> for_min(const Tuple<E...>& value) {
  return value == value ? value : Tuple<E...>(kInfinity<E>...);
}
/// The same for `max`.
template <class... E>
inline Tuple<E...> for_max(const Tuple<E...>& value) {
  return value == value ? value : Tuple<E...>(kLowest<E>...);
}

/// Where the elements of a value of type T lie in it, in bytes: a scalar is its only element.
template <class T>
struct ElementOffsets {
  static std::vector<std::size_t> list() { return {0}; }
};
template <class... E>
struct ElementOffsets<Tuple<E...>> {
  static std::vector<std::size_t> list() {
    const Tuple<E...> tuple(E{}...);
    const auto* const begin = reinterpret_cast<const std::byte*>(&tuple);
    return [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      const auto place = [&](const auto& element) {
        return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&element) - begin);
      };
      return std::vector<std::size_t>{place(tuple.template at<kIndex>())...};
    }(std::index_sequence_for<E...>());
  }
};

namespace detail {

template <class... E, class... Done>
inline auto word_of(const Tuple<E...>& tuple, Done... done) {
  if constexpr (sizeof...(Done) == sizeof...(E))
    return vertigo::detail::TupleWord<E...>::of(done...);
  else
    return word_of(tuple, done..., get<sizeof...(Done)>(tuple));
}

}  // namespace detail

/// A tuple of at most 128 bits in one word whose unsigned order is the tuple's: min and max of
/// tuples are those of words.
template <class... E>
struct Packed {
  using Word = typename vertigo::detail::TupleWord<E...>::Type;
  Word word;

  Packed() = default;
  Packed(const Tuple<E...>& tuple)  // NOLINT: the two are the same value
      : word(detail::word_of(tuple)) {}
  operator Tuple<E...>() const {  // NOLINT
    return vertigo::detail::ElementsOfWord<E...>::template run<Tuple<E...>>(word);
  }
};

}  // namespace vertigo::cpu
