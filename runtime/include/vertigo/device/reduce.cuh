#pragma once
// Reductions over all threads of a kernel into one value on the device. Blocks leave partial
// results and the last one adds them up in the order of block numbers; kernels that reduce are
// launched with a grid that depends on the number of vertices alone, so that floating sums repeat
// bit by bit.

#include "vertigo/device/gather.cuh"

namespace vertigo::gpu {

/// Most blocks of a kernel that reduces.
inline constexpr unsigned kReductionBlocks = 1024;

template <class T>
struct Scalar {
  T* value = nullptr;
  T* partials = nullptr;            ///< kReductionBlocks of them
  unsigned* blocks_done = nullptr;  ///< 0 between kernels
};

namespace detail {

/// Combines over the threads of a block; the result is thread 0's.
template <class T, class Combine>
__device__ __forceinline__ T combine_block(T value, const Combine& combine, const T& identity) {
  __shared__ T partials[kBlock / kWarp];
  value = combine_warp(value, combine);
  if (lane() == 0) partials[threadIdx.x / kWarp] = value;
  __syncthreads();
  if (threadIdx.x < kWarp)
    value = combine_warp(lane() < blockDim.x / kWarp ? partials[lane()] : identity, combine);
  __syncthreads();
  return value;
}

}  // namespace detail

/// *result.value = combine(*result.value, mine of every thread). All threads of the grid call it,
/// once and last.
template <class Combine, class T>
__device__ __forceinline__ void reduce_into(const Scalar<T>& result, T mine, const Combine& combine,
                                            T identity) {
  __shared__ bool is_last;
  const T block = detail::combine_block(mine, combine, identity);
  if (threadIdx.x == 0) {
    result.partials[blockIdx.x] = block;
    __threadfence();
    is_last = atomicAdd(result.blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  T total = identity;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    total = combine(total, result.partials[i]);
  total = detail::combine_block(total, combine, identity);
  if (threadIdx.x == 0) {
    *result.value = combine(*result.value, total);
    *result.blocks_done = 0;
  }
}

/// A 64-bit count that every thread keeps for itself until the kernel ends.
struct Counter {
  unsigned long long* total = nullptr;

  /// Adds the calling threads' counts; one atomic addition per warp. All lanes must call it.
  __device__ __forceinline__ void add(unsigned long long mine) const {
    mine = detail::combine_warp(mine,
                                [](unsigned long long a, unsigned long long b) { return a + b; });
    if (lane() == 0 && mine != 0) atomicAdd(total, mine);
  }
};

}  // namespace vertigo::gpu
