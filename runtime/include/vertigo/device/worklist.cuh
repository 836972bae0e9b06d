#pragma once
// Vertices to visit, with their number on the device. Lanes that append at the same time share one
// atomic addition.

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

/// Adds `amount` to a counter for every calling lane and returns where the caller's share begins.
/// The lanes that arrive together elect one that adds for all.
__device__ __forceinline__ std::uint32_t claim(std::uint32_t* counter) {
  const unsigned together = __activemask();
  const unsigned leader = __ffs(together) - 1;
  std::uint32_t base = 0;
  if (lane() == leader) base = atomicAdd(counter, __popc(together));
  return __shfl_sync(together, base, leader) + __popc(together & lanes_below());
}

__device__ __forceinline__ void append(const Worklist& list, Vertex v) {
  list.items[claim(list.count)] = v;
}

/// Raising a flag again costs one read.
__device__ __forceinline__ void raise(const Flag& flag) {
  if (load_relaxed(*flag.word) == 0) store_relaxed(*flag.word, 1u);
}

}  // namespace vertigo::gpu
