#pragma once
// Edges and the lists of a graph on a device: from one to the other, and what a look at them tells.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "vertigo/core/scalar.h"
#include "vertigo/graph/device_lists.h"

namespace vertigo::gpu::lists {

/// Edges on the device, each with its source in the upper half.
struct Edges {
  std::uint64_t* ids;
  std::uint64_t count;
};

/// Sets the bits of the vertices that edges lead to; they are 0 before.
void launch_mark_targets(cudaStream_t stream, const Vertex* targets, std::uint64_t edges,
                         std::uint32_t* bits);
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
/// The sources of some edges.
void launch_pick_sources(cudaStream_t stream, const EdgeIndex* offsets, Vertex vertices,
                         const EdgeIndex* edges, std::uint64_t count, Vertex* sources);
/// Where the lists of edges begin whose ascending sources are these.
void launch_begins(cudaStream_t stream, const Vertex* sources, std::uint64_t edges, Vertex vertices,
                   EdgeIndex* offsets);
/// Raises `differences` by the words that differ.
void launch_compare(cudaStream_t stream, const std::uint32_t* a, const std::uint32_t* b,
                    std::uint64_t words, unsigned long long* differences);

/// In device memory, 0 before.
struct ListsSeen {
  unsigned long long self_loops;
  unsigned long long duplicates;  ///< edges beyond the first of each (source, target)
  unsigned long long descents;    ///< targets below the one before them in their list
  Vertex largest;                 ///< target
};
void launch_look_at_lists(cudaStream_t stream, const Vertex* sources, const Vertex* targets,
                          std::uint64_t count, ListsSeen* seen);
/// Adds to `difference`, which is 0 before, what is 0 afterwards where every edge is there as often
/// as its reverse, and in one of 2^64 other cases (graph::sums_are_symmetric() of the host).
/// `weights`: their bits; null: there are none. `secret`: a number that nobody knows who wrote the
/// edges.
template <class Bits>
void launch_sum_edges(cudaStream_t stream, const Vertex* sources, const Vertex* targets,
                      const Bits* weights, std::uint64_t count, std::uint64_t secret,
                      unsigned long long* difference);

/// As files hold targets and weights in turn.
struct alignas(8) Cell {
  Vertex target;
  std::int32_t weight;
};
/// `weights`: null where nobody wants them.
void launch_split(cudaStream_t stream, const Cell* cells, std::uint64_t count, Vertex* targets,
                  std::int32_t* weights);
/// Raises `odd` by the weights that are infinite or no number.
template <class W>
void launch_count_odd(cudaStream_t stream, const W* weights, std::uint64_t count,
                      unsigned long long* odd);

}  // namespace vertigo::gpu::lists
