#pragma once
// Kernels over so many items, shared out over a grid of bounded size.

#include <algorithm>
#include <cstdint>

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::lists {

inline unsigned blocks_for(std::uint64_t items) {
  constexpr std::uint64_t kMost = 4096;
  return static_cast<unsigned>(std::clamp<std::uint64_t>((items + kBlock - 1) / kBlock, 1, kMost));
}

/// Calls body(i) for every i below `count`, shared out over the grid.
template <class Body>
__device__ __forceinline__ void for_each(std::uint64_t count, const Body& body) {
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < count;
       i += gpu::detail::grid_stride())
    body(i);
}

}  // namespace vertigo::gpu::lists
