#pragma once
// What a vertex must be worth to be processed in this step of a data-driven sum (SEP-Graph, section
// 4.4.3; Maiter): some vertices of the list are sampled, and the threshold is the worth that a
// given number of them reach. The others wait on the list. The same on every target.

#include <cstdint>

#include "vertigo/execute/controller.h"

namespace vertigo::execute {

/// Vertices of a sample: four for each thread of a block on a GPU.
inline constexpr unsigned kSamples = 1024;

/// The place of sample `i` in a list of `length`. Multiples of the golden ratio lie evenly and meet
/// no pattern of powers of two, which graphs made by recursion are full of.
VERTIGO_HOST_DEVICE inline std::uint32_t sampled_place(std::uint32_t i, std::uint32_t length) {
  constexpr std::uint32_t kGolden = 0x9e3779b9u;
  return static_cast<std::uint32_t>(std::uint64_t{i * kGolden} * length >> 32);
}

/// Of `taken` samples as many as `rank` is of all; at least one, so that the threshold is one of
/// them or less.
VERTIGO_HOST_DEVICE inline std::uint32_t rank_among(std::uint32_t rank, std::uint32_t taken) {
  const std::uint32_t share = rank * taken / kSamples;
  return share > 0 ? share : 1;
}

/// The `rank`-th largest sample, rounded down to 7 binary digits, as the bits of a float: samples
/// are not negative, so their bits have their order. `reaching(bits)`: how many samples are at
/// least that.
template <class Reaching>
VERTIGO_HOST_DEVICE std::uint32_t threshold_bits(std::uint32_t rank, const Reaching& reaching) {
  constexpr unsigned kDropped = 16;  // of 23 digits of a float's fraction
  std::uint32_t bits = 0;
  for (unsigned bit = 30; bit >= kDropped; --bit) {
    const std::uint32_t candidate = bits | std::uint32_t{1} << bit;
    if (reaching(candidate) >= rank) bits = candidate;
  }
  return bits;
}

}  // namespace vertigo::execute
