#pragma once
// Hubs: vertices with lists so long that one warp would hold up all others. Their lists are cut
// into pieces once per graph; engines whose warps walk the vertices of a step leave hubs to a pass
// over these pieces.

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// Vertices with at least so many edges are hubs; a piece has as many, but for each hub's last.
inline constexpr unsigned kHubEdges = 1024;

struct HubPiece {
  Vertex hub;
  std::uint32_t number;  ///< of the piece, among the hub's
};

struct Hubs {
  HubPiece* pieces = nullptr;
  std::uint32_t count = 0;
};

void declare_hubs(Session& session, Hubs& hubs);
/// Lists the pieces; waits for the stream.
void prepare_hubs(Session& session, const EdgeIndex* offsets, Hubs& hubs);

namespace detail {

/// The combine operator of a program's messages.
template <class Program>
struct CombineOf {
  Program program;
  template <class Message>
  __device__ __forceinline__ Message operator()(Message a, Message b) const {
    return program.combine(a, b);
  }
};

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

/// Warps of a whole launch, numbered so that the first ones lie on different processors: short
/// lists of work are shared out among all of them.
struct Warps {
  std::uint32_t number = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  std::uint32_t count = gridDim.x * (blockDim.x / kWarp);
};

/// Vertices that a warp takes at a time from a list of `count`: several turns for each warp, so
/// that the work evens out, but no more than it has lanes, and no fewer than repay what a turn
/// costs.
__device__ __forceinline__ unsigned vertices_per_turn(std::uint32_t count, const Warps& warps) {
  constexpr unsigned kTurns = 4;
  constexpr unsigned kFewest = 4;
  const unsigned share = (count + kTurns * warps.count - 1) / (kTurns * warps.count);
  return share < kFewest ? kFewest : share > kWarp ? kWarp : share;
}

/// With fewer edges per vertex than this on average, a lane of its own visits each list: sharing
/// them out would cost more than it evens out.
inline constexpr unsigned kShortLists = 8;

}  // namespace detail
}  // namespace vertigo::gpu
