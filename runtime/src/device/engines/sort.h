#pragma once
// Sorting and scanning on the device. CUB, which is long to compile, is included by sort.cu alone.

#include <cuda_runtime_api.h>

#include <cstdint>

namespace vertigo::gpu {

/// Stable, by the low `bits` bits of the keys. Allocates and frees what it needs besides.
void sort_pairs(const std::uint32_t* keys, std::uint32_t* sorted_keys, const std::uint32_t* values,
                std::uint32_t* sorted_values, std::uint64_t count, int bits, bool descending,
                cudaStream_t stream);

/// sums[i] = values[0] + … + values[i - 1].
void exclusive_sums(const std::uint32_t* values, std::uint32_t* sums, std::uint64_t count,
                    cudaStream_t stream);
void exclusive_sums(const std::uint32_t* values, std::uint64_t* sums, std::uint64_t count,
                    cudaStream_t stream);

}  // namespace vertigo::gpu
