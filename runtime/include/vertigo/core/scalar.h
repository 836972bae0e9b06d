#pragma once
// Scalar kinds of the language as the runtime sees them, and the constants that stand for `inf` and
// `none`.

#include <cstdint>
#include <limits>

namespace vertigo {

/// A vertex as kernels see it: 32 bits, so at most 2^32 - 2 vertices. Edges are always counted in
/// 64 bits.
using Vertex = std::uint32_t;
using EdgeIndex = std::uint64_t;

/// `none` of the language: no vertex. It is the largest id, so that `min` over vertices treats it
/// as its identity.
inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

enum class ScalarKind : std::uint8_t {
  Bool,
  Int32,
  Int64,
  UInt32,
  UInt64,
  Float32,
  Float64,
  Vertex,
  Wide64  ///< vertigo/core/wide.h
};

/// `inf` of a scalar type: the largest value for integers, infinity for floating point.
template <class T>
inline constexpr T kInfinity =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::max();

}  // namespace vertigo
