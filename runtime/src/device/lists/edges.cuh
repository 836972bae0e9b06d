#pragma once
// What kernels over edges share.

#include "vertigo/device/gather.cuh"

namespace vertigo::gpu::lists {

__device__ __forceinline__ std::uint32_t source_of(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge >> 32);
}
__device__ __forceinline__ std::uint32_t target_of(std::uint64_t edge) {
  return static_cast<std::uint32_t>(edge);
}

/// Adds what the lanes of a warp have.
__device__ __forceinline__ void add_up(unsigned long long mine, unsigned long long* sum) {
  mine = gpu::detail::combine_warp(mine, Sum{});
  if (lane() == 0 && mine != 0) atomicAdd(sum, mine);
}

/// Sets a bit; true to the one that was first.
__device__ __forceinline__ bool mark(std::uint32_t* bits, std::uint32_t id) {
  const std::uint32_t bit = 1u << (id % 32);
  // Most ids come again and again.
  if ((load_relaxed(bits[id / 32]) & bit) != 0) return false;
  return (atomicOr(bits + id / 32, bit) & bit) == 0;
}

}  // namespace vertigo::gpu::lists
