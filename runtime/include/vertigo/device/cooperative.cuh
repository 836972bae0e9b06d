#pragma once
// Kernels whose blocks all run at the same time and wait for each other: a whole loop of steps is
// one launch, and what lies between two steps costs a microsecond instead of a launch and a look
// from the host. Kernels like that are launched by launch_cooperative() with at most
// most_resident_blocks() blocks, of one dimension.
//
// CUDA's <cooperative_groups.h> says the same, for three seconds of nvcc's time per file
// (nvcc 13.0: 1.3 s without it, 4.2 s with it).

#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/device/watchdog.cuh"

namespace vertigo::gpu {

namespace detail {

/// Blocks that have arrived at the barrier; the top bit changes whenever all have. It is as it was,
/// but for that bit, when a kernel ends. On each device one cooperative kernel runs at a time:
/// launch_cooperatively() makes those of several runs wait for each other.
static __device__ unsigned grid_arrivals;

}  // namespace detail

/// All threads of a cooperative launch wait here for each other; what any of them wrote before,
/// all read afterwards. Every thread of every block must call. Values that are read through the
/// read-only cache (__ldg, const __restrict__) must not change within one kernel all the same.
__device__ __forceinline__ void grid_sync() {
  constexpr unsigned kAllArrived = 0x80000000u;
  __syncthreads();
  if (threadIdx.x == 0) {
    // The shares of all blocks add up to the top bit.
    const unsigned share = blockIdx.x == 0 ? kAllArrived - (gridDim.x - 1) : 1u;
    __threadfence();
    const unsigned before = atomicAdd(&detail::grid_arrivals, share);
    Watchdog watchdog;
    while (((load_acquire(detail::grid_arrivals) ^ before) & kAllArrived) == 0)
      VERTIGO_WAIT(watchdog);
  }
  __syncthreads();
}

/// The most blocks of `kernel` that the device runs at once, at least 1.
template <class... Parameters>
unsigned most_resident_blocks(void (*kernel)(Parameters...), unsigned threads) {
  return detail::most_resident_blocks(reinterpret_cast<const void*>(kernel), threads);
}

/// Throws where the launch fails, as where `blocks` are more than can run at once.
template <class... Parameters, class... Arguments>
void launch_cooperative(void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                        Stream stream, const Arguments&... arguments) {
  // The arguments as the kernel takes them; the launch copies them.
  const auto launch = [&](Parameters... converted) {
    void* places[] = {&converted..., nullptr};
    detail::launch_cooperatively(reinterpret_cast<const void*>(kernel), blocks, threads, places,
                                 stream);
  };
  launch(arguments...);
}

}  // namespace vertigo::gpu
