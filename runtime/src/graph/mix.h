#pragma once
// Mixing an edge into 64 bits, for sums that do not depend on the order of edges: graphs with equal
// edges have equal sums, others do not but by chance (1 in 2^64).

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "weights.h"

namespace vertigo::graph {

inline std::uint64_t mixed(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  return word ^ (word >> 31);
}

template <class W>
std::uint64_t bits_of(W weight) {
  if constexpr (std::is_same_v<W, NoWeight>) {
    return 0;
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &weight, sizeof weight);
    return bits;
  }
}

}  // namespace vertigo::graph
