#pragma once
// From edges in the order of a text to lists: ids become vertices, edges are sorted, rows are cut.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "vertigo/core/scalar.h"

namespace vertigo::gpu::text {

/// Edges on the device, each with its source in the upper half.
struct Edges {
  std::uint64_t* ids;
  std::uint64_t count;
};

inline std::uint64_t words_of(std::uint32_t largest_id) {
  return std::uint64_t{largest_id} / 32 + 1;
}

/// Sets the bits of the ids that the edges name; they are 0 before.
void launch_mark(cudaStream_t stream, const Edges& edges, std::uint32_t* bits);
/// The same of targets alone.
void launch_mark_targets(cudaStream_t stream, const Vertex* targets, std::uint64_t edges,
                         std::uint32_t* bits);
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

/// Of sorted edges. In device memory, 0 before.
struct Seen {
  unsigned long long self_loops;
  unsigned long long duplicates;
};
void launch_look(cudaStream_t stream, const Edges& edges, Seen* seen);
/// Where the lists of the sorted edges begin: one offset more than there are vertices.
void launch_offsets(cudaStream_t stream, const Edges& edges, Vertex vertices, EdgeIndex* offsets);
void launch_targets(cudaStream_t stream, const Edges& edges, Vertex* targets);

/// The source of each edge, from where lists begin.
void launch_sources(cudaStream_t stream, const EdgeIndex* offsets, Vertex vertices,
                    std::uint64_t edges, Vertex* sources);
/// Where the lists of edges begin whose ascending sources are these.
void launch_begins(cudaStream_t stream, const Vertex* sources, std::uint64_t edges, Vertex vertices,
                   EdgeIndex* offsets);
/// Raises `differences` by the words that differ.
void launch_compare(cudaStream_t stream, const std::uint32_t* a, const std::uint32_t* b,
                    std::uint64_t words, unsigned long long* differences);

}  // namespace vertigo::gpu::text
