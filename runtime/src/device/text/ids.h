#pragma once
// Ids of a text become vertices, and the order of its edges.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "../lists/rows.h"

namespace vertigo::gpu::text {

using lists::Edges;

inline std::uint64_t words_of(std::uint32_t largest_id) {
  return std::uint64_t{largest_id} / 32 + 1;
}

/// Sets the bits of the ids that the edges name; they are 0 before.
void launch_mark(cudaStream_t stream, const Edges& edges, std::uint32_t* bits);
/// How many bits are set in each word.
void launch_count_bits(cudaStream_t stream, const std::uint32_t* bits, std::uint64_t words,
                       std::uint32_t* counts);
/// Every id becomes its place among the bits that are set; `ranks`: of the first bit of each word.
void launch_rank(cudaStream_t stream, const Edges& edges, const std::uint32_t* bits,
                 const std::uint32_t* ranks);
/// Every id becomes so much less.
void launch_shift(cudaStream_t stream, const Edges& edges, std::uint32_t shift);

/// Raises `descents` by the edges that are below the one before them.
void launch_count_descents(cudaStream_t stream, const Edges& edges, unsigned long long* descents);

}  // namespace vertigo::gpu::text
