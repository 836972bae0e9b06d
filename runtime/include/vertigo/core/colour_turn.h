#pragma once
// In which order vertices take their colours (vertigo/graph/colouring.h). The same on the host and
// on the device, so that both find the same colours.

#include <cstdint>

#include "vertigo/core/host_device.h"
#include "vertigo/core/scalar.h"

namespace vertigo {

/// Of two vertices the one with the larger turn goes first: by degree, then in any order. Equal
/// degrees are common, and ids in their order would make long chains of vertices that wait for each
/// other. No two vertices get the same: every step of the mixing can be undone.
VERTIGO_HOST_DEVICE inline std::uint64_t colour_turn(std::uint64_t degree, Vertex v) {
  constexpr std::uint64_t kMost = ~std::uint32_t{0};
  std::uint32_t mixed = v;
  mixed = (mixed >> 16 ^ mixed) * 0x045d9f3bu;
  mixed = (mixed >> 16 ^ mixed) * 0x045d9f3bu;
  mixed ^= mixed >> 16;
  return (degree < kMost ? degree : kMost) << 32 | mixed;
}

}  // namespace vertigo
