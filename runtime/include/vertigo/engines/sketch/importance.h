#pragma once
// The program's importance of vertices as a function that the runtime can call: its parameters are
// the degrees and, for each vertex input that it reads, a value and whether there is one.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "vertigo/core/scalar.h"

namespace vertigo::engines::sketch {

namespace detail {

/// Parameter `kIndex` behind the degrees: values and flags take turns.
template <class T, std::size_t kIndex>
T argument(const void* const* inputs, Vertex v) {
  const void* const values = inputs[kIndex / 2];
  if constexpr (kIndex % 2 == 1)
    return values != nullptr;
  else
    return values != nullptr ? static_cast<const T*>(values)[v] : T{};
}

template <class Program, class... More, std::size_t... kIndex>
double call(double (Program::*importance)(std::int64_t, std::int64_t, More...) const,
            const void* const* inputs, Vertex v, EdgeIndex in_degree, EdgeIndex out_degree,
            std::index_sequence<kIndex...>) {
  const Program program{};
  return (program.*importance)(static_cast<std::int64_t>(in_degree),
                               static_cast<std::int64_t>(out_degree),
                               argument<More, kIndex>(inputs, v)...);
}

template <class Program, class... More>
double call(double (Program::*importance)(std::int64_t, std::int64_t, More...) const,
            const void* const* inputs, Vertex v, EdgeIndex in_degree, EdgeIndex out_degree) {
  return call(importance, inputs, v, in_degree, out_degree, std::index_sequence_for<More...>{});
}

}  // namespace detail

/// `inputs`: of each of Program::inputs an array with a value for each vertex, or null.
template <class Program>
double importance(const void* const* inputs, Vertex v, EdgeIndex in_degree, EdgeIndex out_degree) {
  return detail::call(&Program::importance, inputs, v, in_degree, out_degree);
}

}  // namespace vertigo::engines::sketch
