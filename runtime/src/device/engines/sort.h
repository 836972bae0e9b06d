#pragma once
// Sorting and scanning on the device. CUB, which is long to compile, is included by sort.cu alone.

#include <cstdint>

#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// Stable, by the low `bits` bits of the keys. Allocates and frees what it needs besides.
void sort_pairs(Session& session, const std::uint32_t* keys, std::uint32_t* sorted_keys, const std::uint32_t* values,
                std::uint32_t* sorted_values, std::uint64_t count, int bits, bool descending);

/// Sorts the keys between bounds[i] and bounds[i + 1], for every i below `segments`.
void sort_segments(Session& session, std::uint32_t* keys, std::uint64_t count,
                   std::uint64_t segments, const std::uint32_t* bounds);
void sort_segments(Session& session, std::uint32_t* keys, std::uint64_t count,
                   std::uint64_t segments, const std::uint64_t* bounds);

/// sums[i] = values[0] + … + values[i - 1].
void exclusive_sums(Session& session, const std::uint32_t* values, std::uint32_t* sums, std::uint64_t count);
void exclusive_sums(Session& session, const std::uint32_t* values, std::uint64_t* sums, std::uint64_t count);

}  // namespace vertigo::gpu
