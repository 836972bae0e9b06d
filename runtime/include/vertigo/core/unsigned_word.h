#pragma once
// Unsigned integers by their size.

#include <cstdint>

namespace vertigo {

namespace detail {

template <unsigned kBytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOf<4> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = std::uint64_t;
};

}  // namespace detail

/// The unsigned integer of so many bytes: 1, 4 or 8.
template <unsigned kBytes>
using Unsigned = typename detail::UnsignedOf<kBytes>::Type;

}  // namespace vertigo
