#pragma once
// Edges and the reverses of edges, joined: each once that is there both ways with the same weight.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <type_traits>

#include "vertigo/core/scalar.h"

namespace vertigo::gpu::lists {

/// Of edges without weights.
struct NoWeight {};
template <class W>
inline constexpr bool kIsWeight = !std::is_same_v<W, NoWeight>;

/// No two of the edges are parallel, so that at most two of these are: an edge, which comes first,
/// and the reverse of another.
template <class W>
struct SortedBothWays {
  const std::uint64_t* keys;  ///< the source in the upper half
  const W* weights;           ///< null: there are none
  std::uint64_t count;
};

/// `keys`: of all edges, then of their reverses.
void launch_both_ways(cudaStream_t stream, const Vertex* sources, const Vertex* targets,
                      std::uint64_t count, std::uint64_t* keys);
/// Writes 1 for what is kept and 0 for what is as the one before it, and 0 behind the last.
template <class W>
void launch_keep(cudaStream_t stream, const SortedBothWays<W>& sorted, std::uint32_t* kept);
/// Writes what is kept to its place; of two that differ in their weights, the lighter one first.
/// `places`: how many are kept before each.
template <class W>
void launch_write_kept(cudaStream_t stream, const SortedBothWays<W>& sorted,
                       const std::uint64_t* places, std::uint64_t* keys, W* weights);

}  // namespace vertigo::gpu::lists
