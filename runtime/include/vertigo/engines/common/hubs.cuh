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

/// The pieces of those hubs that a step has to do with, as they come to one warp. Every lane looks
/// at a piece: a warp that asked for them one by one would wait for memory at each that is left
/// out.
class PiecesOfWarp {
 public:
  __device__ __forceinline__ explicit PiecesOfWarp(const Hubs& hubs) : hubs_(hubs) {}

  /// False where there are no more. concerns(hub) is asked once per piece; the whole warp calls.
  template <class Concerns>
  __device__ __forceinline__ bool next(const Concerns& concerns, HubPiece& piece) {
    while (left_ == 0) {
      if (place_of(rounds_, 0) >= hubs_.count) return false;
      const std::uint64_t mine = place_of(rounds_++, lane());
      left_ = __ballot_sync(kAllLanes, mine < hubs_.count && concerns(hubs_.pieces[mine].hub));
    }
    const unsigned owner = __ffs(left_) - 1;
    left_ &= left_ - 1;
    piece = hubs_.pieces[place_of(rounds_ - 1, owner)];
    return true;
  }

 private:
  /// Of what a lane looks at in a round.
  __device__ __forceinline__ static std::uint64_t place_of(std::uint32_t round, unsigned lane) {
    const Warps warps;
    return (std::uint64_t{round} * kWarp + lane) * warps.count + warps.number;
  }

  // Pieces are read twice: what is kept from one to the next takes registers from whoever asks.
  const Hubs& hubs_;
  std::uint32_t rounds_ = 0;
  unsigned left_ = 0;  ///< lanes whose pieces are still to be handed out
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
