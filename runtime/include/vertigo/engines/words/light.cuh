#pragma once
// Which bits few edges bring. A vertex that pulls would look at its whole list for them, and mostly
// in vain; pushing them visits few edges.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/engines/words/search.cuh"

namespace vertigo::gpu::words::detail {

/// Light bits are together on at most one of so many edges,
inline constexpr unsigned kLightTogether = 24;
/// and each of them on at most one of so many.
inline constexpr unsigned kLightAlone = 12;

/// Adds up how many threads of the grid hold each bit of their `sample`.
template <class Bits>
__device__ __forceinline__ void count_bits_of_grid(Bits sample, std::uint32_t* counts) {
  __shared__ unsigned of_block[kWordBits];
  if (threadIdx.x < kWordBits) of_block[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll
  for (unsigned first = 0; first < 8 * sizeof(Bits); first += kWarp) {
    unsigned mine = 0;
    for (unsigned bit = 0; bit < kWarp; ++bit) {
      const unsigned holders = __ballot_sync(kAllLanes, (sample >> (first + bit) & 1) != 0);
      if (lane() == bit) mine = __popc(holders);
    }
    if (mine != 0) atomicAdd(&of_block[first + lane()], mine);
  }
  __syncthreads();
  if (threadIdx.x < kWordBits && of_block[threadIdx.x] != 0)
    atomicAdd(counts + threadIdx.x, of_block[threadIdx.x]);
}

/// The light ones of the bits, of which `counts` of so many samples had each. The same in all
/// warps.
template <class Bits>
__device__ __forceinline__ Bits light_bits(const std::uint32_t* counts, std::uint64_t samples) {
  Bits light = 0;
#pragma unroll
  for (unsigned first = 0; first < 8 * sizeof(Bits); first += kWarp) {
    const unsigned own = first + lane();
    const unsigned count = load_relaxed(counts[own]);
    std::uint64_t together = 0;  // with all that are lighter
    for (unsigned bit = 0; bit < 8 * sizeof(Bits); ++bit) {
      const unsigned other = load_relaxed(counts[bit]);
      if (other < count || (other == count && bit <= own)) together += other;
    }
    const bool is_light =
        together * kLightTogether < samples && std::uint64_t{count} * kLightAlone < samples;
    light |= static_cast<Bits>(__ballot_sync(kAllLanes, is_light)) << first;
  }
  return light;
}

}  // namespace vertigo::gpu::words::detail
