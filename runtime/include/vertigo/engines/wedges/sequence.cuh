#pragma once
// The edges of all vertices as one sequence, list after list by the numbers of the vertices: warps
// go through parts of the same length, whatever the lengths of lists.

#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/engines/wedges/orient.cuh"

namespace vertigo::gpu::wedges {

/// Edges of a part.
inline constexpr unsigned kPart = 4096;

struct Sequence {
  const EdgeIndex* starts;  ///< of each number's list in the sequence, and the end
  const EdgeIndex* offsets;
  const Vertex* targets;  ///< of the graph
  Vertex vertex_count;
  EdgeIndex length;
};

inline std::uint64_t parts_of(EdgeIndex edges) { return (edges + kPart - 1) / kPart; }

/// Calls `visit(part)` for all lanes of a warp.
template <class Visit>
__device__ __forceinline__ void for_each_part(EdgeIndex length, const Visit& visit) {
  const std::uint64_t stride = gpu::detail::grid_stride() / kWarp;
  for (std::uint64_t part = (gpu::detail::block_start() + threadIdx.x) / kWarp;
       part * kPart < length; part += stride)
    visit(part);
}

/// Of the numbers from `first` on and below `end`, the one whose list holds that place.
__device__ __forceinline__ Vertex owner_of(const EdgeIndex* starts, EdgeIndex place, Vertex first,
                                           Vertex end) {
  while (end - first > 1) {
    const Vertex middle = first + (end - first) / 2;
    if (starts[middle] <= place)
      first = middle;
    else
      end = middle;
  }
  return first;
}

/// Calls `visit(lane has an edge, number, neighbour's number)` for all lanes of a warp together,
/// for the edges of a part in their order.
template <class Visit>
__device__ __forceinline__ void for_each_edge(const Sequence& sequence, const Oriented& lists,
                                              std::uint64_t part, const Visit& visit) {
  // Edges whose loads do not wait for each other.
  constexpr unsigned kAtOnce = 4;
  const EdgeIndex begin = part * kPart;
  const auto length =
      static_cast<unsigned>(sequence.length - begin < kPart ? sequence.length - begin : kPart);
  std::uint64_t first = owner_of(sequence.starts, begin, 0, sequence.vertex_count);
  for (unsigned at = 0; at < length; first += kWarp) {
    // The lists of 32 numbers, one to a lane: where each ends, and where it lies in the graph.
    const std::uint64_t number = first + lane();
    unsigned list_end = length;
    EdgeIndex shift = 0;
    if (number < sequence.vertex_count) {
      const EdgeIndex end = sequence.starts[number + 1] - begin;
      if (end < length) list_end = static_cast<unsigned>(end);
      shift = sequence.offsets[lists.order[number]] - sequence.starts[number] + begin;
    }
    const unsigned stop = shuffle(list_end, kWarp - 1);
    for (; at < stop; at += kAtOnce * kWarp) {
      unsigned owners[kAtOnce];
      Vertex others[kAtOnce];
#pragma unroll
      for (unsigned i = 0; i < kAtOnce; ++i) {
        const unsigned place = at + i * kWarp + lane();
        unsigned owner = 0;
#pragma unroll
        for (unsigned step = kWarp / 2; step > 0; step /= 2)
          if (shuffle(list_end, owner + step - 1) <= place) owner += step;
        owners[i] = owner;
        const EdgeIndex from = shuffle(shift, owner);
        others[i] = place < stop ? sequence.targets[from + place] : kNoVertex;
      }
#pragma unroll
      for (unsigned i = 0; i < kAtOnce; ++i)
        if (others[i] != kNoVertex) others[i] = lists.numbers[others[i]];
#pragma unroll
      for (unsigned i = 0; i < kAtOnce; ++i)
        if (at + i * kWarp < stop)
          visit(at + i * kWarp + lane() < stop, static_cast<Vertex>(first + owners[i]), others[i]);
    }
    at = stop;
  }
}

}  // namespace vertigo::gpu::wedges
