#pragma once
// Sums of the values before each, by one block: for arrays whose length only the device knows.

#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu::detail {

inline constexpr unsigned kScanThreads = 1024;

__device__ __forceinline__ std::uint32_t sum_up_to_lane(std::uint32_t value) {
#pragma unroll
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const std::uint32_t below = __shfl_up_sync(kAllLanes, value, distance);
    if (lane() >= distance) value += below;
  }
  return value;
}

/// `place(i, before, value)` for every i below `count`, where `before` is the sum of value_of(j)
/// for all j < i and `value` that of i. All kScanThreads threads of the block call it and get the
/// sum.
template <class ValueOf, class Place>
__device__ __forceinline__ std::uint32_t sum_before_each(std::uint64_t count,
                                                         const ValueOf& value_of,
                                                         const Place& place) {
  __shared__ std::uint32_t warp_sums[kWarp];
  const unsigned warp = threadIdx.x / kWarp;
  std::uint32_t before = 0;
  for (std::uint64_t base = 0; base < count; base += kScanThreads) {
    const std::uint64_t i = base + threadIdx.x;
    const std::uint32_t value = i < count ? value_of(i) : 0;
    const std::uint32_t sum = sum_up_to_lane(value);
    if (lane() == kWarp - 1) warp_sums[warp] = sum;
    __syncthreads();
    const std::uint32_t sums = sum_up_to_lane(warp_sums[lane()]);
    const std::uint32_t others = __shfl_sync(kAllLanes, sums, warp == 0 ? 0 : warp - 1);
    if (i < count) place(i, before + (warp == 0 ? 0 : others) + sum - value, value);
    before += __shfl_sync(kAllLanes, sums, kWarp - 1);
    __syncthreads();
  }
  return before;
}

}  // namespace vertigo::gpu::detail
