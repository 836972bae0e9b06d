#pragma once
// `random(v, step)` of the language: a counter-based generator, so that every target, schedule and
// thread count draws the same number for the same vertex of the input file.

#include <cstdint>

#include "vertigo/core/host_device.h"

namespace vertigo {

/// A bijection of 64 bits in which every input bit reaches every output bit (the finaliser of
/// splitmix64: Steele, Lea, Flood 2014, section 5).
VERTIGO_HOST_DEVICE inline std::uint64_t scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// Uniform in [0, 1) with 53 random bits; a function of its arguments alone. `input_id` is the
/// vertex's id in the input file, so that relabelling changes nothing. The step is scrambled
/// before it meets the id, so that (id, step) and (id + 1, step - 1) are unrelated.
VERTIGO_HOST_DEVICE inline double random_unit(std::uint64_t seed, std::uint64_t input_id,
                                              std::uint64_t step) {
  const std::uint64_t golden = 0x9e3779b97f4a7c15ull;
  const std::uint64_t stream = scramble(scramble(seed + golden) + golden * (step + 1));
  return static_cast<double>(scramble(stream ^ scramble(input_id + golden)) >> 11) * 0x1p-53;
}

}  // namespace vertigo
