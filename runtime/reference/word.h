#pragma once
// Scalars at run time: one 64-bit word each, whose type is known where the code was resolved.
// Tuples are several words.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>

#include "vertigo/core/scalar.h"
#include "vertigo/core/wide.h"

namespace vertigo::reference {

using Word = std::uint64_t;

template <class T>
Word to_word(T value) {
  Word word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}

template <class T>
T from_word(Word word) {
  T value;
  std::memcpy(static_cast<void*>(&value), &word, sizeof(T));
  return value;
}

/// Calls `f.template operator()<T>()` for the C++ type of the kind; a vertex is a std::uint32_t.
template <class F>
decltype(auto) with_type(ScalarKind kind, F&& f) {
  switch (kind) {
    case ScalarKind::Bool:
      return f.template operator()<bool>();
    case ScalarKind::Int32:
      return f.template operator()<std::int32_t>();
    case ScalarKind::Int64:
      return f.template operator()<std::int64_t>();
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return f.template operator()<std::uint32_t>();
    case ScalarKind::UInt64:
      return f.template operator()<std::uint64_t>();
    case ScalarKind::Float32:
      return f.template operator()<float>();
    case ScalarKind::Wide64:
      return f.template operator()<Wide64>();
    case ScalarKind::Float64:
      break;
  }
  return f.template operator()<double>();
}

/// One element of a state, an inbox or a result: `data[v]`, of the kind's stored size.
struct ColumnRef {
  void* data = nullptr;
  ScalarKind kind = ScalarKind::Int32;

  Word load(Vertex v) const {
    return with_type(kind,
                     [&]<class T>() -> Word { return to_word(static_cast<const T*>(data)[v]); });
  }
  void store(Vertex v, Word word) const { store_at(v, word); }
  void store_at(std::size_t place, Word word) const {
    with_type(kind, [&]<class T>() { static_cast<T*>(data)[place] = from_word<T>(word); });
  }
};

/// NaN compares with nothing, not with itself either.
inline std::partial_ordering compare_words(ScalarKind kind, Word a, Word b) {
  return with_type(kind, [&]<class T>() {
    const T x = from_word<T>(a), y = from_word<T>(b);
    return x < y    ? std::partial_ordering::less
           : y < x  ? std::partial_ordering::greater
           : x == y ? std::partial_ordering::equivalent
                    : std::partial_ordering::unordered;
  });
}

/// Tuples of `size` elements compare from the left: the first elements that are not equal decide.
/// `kind(i)`, `a(i)` and `b(i)`: of element i.
template <class Kind, class A, class B>
std::partial_ordering compare_tuples(std::size_t size, Kind kind, A a, B b) {
  for (std::size_t i = 0; i < size; ++i)
    if (const std::partial_ordering order = compare_words(kind(i), a(i), b(i)); order != 0)
      return order;
  return std::partial_ordering::equivalent;
}
inline std::partial_ordering compare_tuples(std::span<const ScalarKind> kinds, const Word* a,
                                            const Word* b) {
  const auto element_of = [](const auto* elements) {
    return [=](std::size_t i) { return elements[i]; };
  };
  return compare_tuples(kinds.size(), element_of(kinds.data()), element_of(a), element_of(b));
}

}  // namespace vertigo::reference
