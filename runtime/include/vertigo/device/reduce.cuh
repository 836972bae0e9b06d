#pragma once
// Reductions over all threads of a kernel into one value on the device. Blocks leave partial
// results and the last one adds them up in the order of block numbers; kernels that reduce are
// launched with a grid that depends on the number of vertices alone, so that floating sums repeat
// bit by bit.

#include "vertigo/device/gather.cuh"

namespace vertigo::gpu {

namespace detail {

/// *result.value = combine(*result.value, mine of every thread). All threads of the grid call it.
template <class Combine, class T>
__device__ __forceinline__ void reduce_grid(const Scalar<T>& result, T mine, const Combine& combine,
                                            T identity) {
  __shared__ bool is_last;
  const T block = combine_block(mine, combine, identity);
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
  total = combine_block(total, combine, identity);
  if (threadIdx.x == 0) {
    *result.value = combine(*result.value, total);
    *result.blocks_done = 0;
  }
}

}  // namespace detail

/// What a thread adds to a reduction. It is declared before a kernel's loop, outside any branch,
/// and is handed in at the end of the kernel.
template <class T, class Combine>
class Reduction {
 public:
  __device__ __forceinline__ Reduction(const Scalar<T>& result, const Combine& combine, T identity)
      : result_(result), combine_(combine), identity_(identity), mine_(identity) {}
  __device__ __forceinline__ ~Reduction() {
    detail::reduce_grid(result_, mine_, combine_, identity_);
  }
  Reduction(const Reduction&) = delete;

  __device__ __forceinline__ void add(T value) { mine_ = combine_(mine_, value); }

 private:
  const Scalar<T>& result_;
  Combine combine_;
  T identity_;
  T mine_;
};

/// What a thread counts; handed in at the end of the kernel, one atomic addition per warp.
class Tally {
 public:
  __device__ __forceinline__ explicit Tally(const Counter& counter) : counter_(counter) {}
  __device__ __forceinline__ ~Tally() {
    const auto all = detail::combine_warp(mine_, Sum{});
    if (lane() == 0 && all != 0) atomicAdd(counter_.total, all);
  }
  Tally(const Tally&) = delete;

  __device__ __forceinline__ void add(unsigned long long n) { mine_ += n; }

 private:
  const Counter& counter_;
  unsigned long long mine_ = 0;
};

__device__ __forceinline__ void count(Tally& tally, unsigned long long n) { tally.add(n); }

}  // namespace vertigo::gpu
