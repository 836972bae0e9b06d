#pragma once
// Hubs: vertices with lists so long that one warp would hold up all others. Their lists are cut into
// pieces once per graph; engines whose warps walk the vertices of a step leave hubs to a pass over
// these pieces.

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

/// Vertices with at least so many edges are hubs; a piece has as many, but for each hub's last.
inline constexpr unsigned kHubEdges = 1024;

struct HubPiece {
  Vertex hub;
  std::uint32_t number;  ///< of the piece, among the hub's
};

struct Hubs {
  HubPiece* pieces = nullptr;
  std::uint32_t* count = nullptr;
};

/// No graph has more pieces: a hub's last one may be short, its others are full.
inline std::uint64_t most_hub_pieces(std::uint64_t edges) { return 2 * edges / kHubEdges; }

template <class Attribute>
__global__ void __launch_bounds__(kBlock)
    list_hubs(const Adjacency<Attribute> lists, Vertex vertices, Hubs hubs) {
  for (std::uint64_t v = blockIdx.x * blockDim.x + threadIdx.x; v < vertices;
       v += gridDim.x * blockDim.x) {
    const EdgeIndex edges = lists.offsets[v + 1] - lists.offsets[v];
    if (edges < kHubEdges) continue;
    const auto pieces = static_cast<std::uint32_t>((edges + kHubEdges - 1) / kHubEdges);
    const std::uint32_t first = atomicAdd(hubs.count, pieces);
    for (std::uint32_t i = 0; i < pieces; ++i)
      hubs.pieces[first + i] = {static_cast<Vertex>(v), i};
  }
}

namespace detail {

/// Part of a vertex's list.
struct Stretch {
  EdgeIndex begin;
  EdgeIndex end;
};

template <class Attribute>
__device__ __forceinline__ Stretch list_of(const Adjacency<Attribute>& lists, Vertex v) {
  return {lists.offsets[v], lists.offsets[v + 1]};
}

template <class Attribute>
__device__ __forceinline__ Stretch list_of(const Adjacency<Attribute>& lists,
                                           const HubPiece& piece) {
  const EdgeIndex begin = lists.offsets[piece.hub] + EdgeIndex{piece.number} * kHubEdges;
  const EdgeIndex end = lists.offsets[piece.hub + 1];
  return {begin, begin + kHubEdges < end ? begin + kHubEdges : end};
}

/// Warps of a whole launch, numbered.
struct Warps {
  std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
  std::uint32_t count = gridDim.x * blockDim.x / kWarp;
};

/// Vertices that a warp takes at a time from a list of `count`: several turns for each warp, so that
/// the work evens out, but no more than it has lanes.
__device__ __forceinline__ unsigned vertices_per_turn(std::uint32_t count, const Warps& warps) {
  constexpr unsigned kTurns = 4;
  const unsigned share = (count + kTurns * warps.count - 1) / (kTurns * warps.count);
  return share < 1 ? 1 : share > kWarp ? kWarp : share;
}

}  // namespace detail
}  // namespace vertigo::gpu
