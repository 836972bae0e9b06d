#pragma once
// Scrambling an edge into 64 bits, for sums that do not depend on the order of edges: graphs with
// equal edges have equal sums, others do not but by chance (1 in 2^64).

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "vertigo/core/random.h"
#include "weights.h"

namespace vertigo::graph {

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
