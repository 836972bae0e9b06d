#pragma once
// Parts of the vertices that one launch goes through, one after the other:
//
//   for (const VertexPart part : in_turn(parts)) {
//     Donations donations(graph, part);
//     for (const Tile tile : tiles(part, donations)) { … }
//   }
//
// All blocks wait for each other between two parts, so that a part sees what those before it
// wrote. A launch for each part would cost ten times as much.

#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/donation_board.cuh"

namespace vertigo::gpu {

/// The vertices of a part.
struct VertexPart {
  const Vertex* items;
  std::uint32_t count;
  DonationBoard* board;  ///< the block's own; null where no list is long enough, or too many are
};

namespace detail {

// Values, not the kernel's parameter: what is referred to of that is copied to local memory.
struct PartTurn {
  const Vertex* items;
  const std::uint32_t* borders;
  const std::uint32_t* offers;
  std::uint32_t count;
  DonationBoard* board;
  std::uint32_t at = 0;

  __device__ __forceinline__ VertexPart operator*() const {
    const std::uint32_t begin = __ldg(borders + at);
    const bool offered = board != nullptr && __ldg(offers + at) != 0;
    return {items + begin, __ldg(borders + at + 1) - begin, offered ? board : nullptr};
  }
  __device__ __forceinline__ void operator++() {
    if (++at < count) grid_sync();
  }
  __device__ __forceinline__ bool operator!=(std::uint32_t end) const { return at != end; }
};

struct PartsInTurn {
  PartTurn first;
  __device__ __forceinline__ PartTurn begin() const { return first; }
  __device__ __forceinline__ std::uint32_t end() const { return first.count; }
};

}  // namespace detail

/// All threads of the launch go through it together.
__device__ __forceinline__ detail::PartsInTurn in_turn(const VertexParts parts) {
  detail::PartTurn first{parts.items, parts.borders, parts.offers, parts.count, nullptr};
  if (parts.board.donations != nullptr) {
    // Bytes, because variables in shared memory have no initial values.
    alignas(DonationBoard) __shared__ unsigned char room[sizeof(DonationBoard)];
    auto* const board = reinterpret_cast<DonationBoard*>(room);
    if (threadIdx.x == 0) *board = parts.board;
    __syncthreads();
    first.board = board;
  }
  return {first};
}

/// Launches a kernel that goes through `parts`. Where blocks offer each other long lists, as many
/// as the device holds help.
template <class... Parameters, class... Arguments>
void launch_parts(void (*kernel)(Parameters...), Session& session, const VertexParts& parts,
                  const Arguments&... arguments) {
  if (parts.count == 0) return;
  const bool donates = parts.board.donations != nullptr;
  if (donates) session.clear(parts.board.offered, kBoardWords);
  const unsigned resident = most_resident_blocks(kernel, kBlock);
  const unsigned wanted = session.blocks(parts);
  launch_cooperative(kernel, donates || wanted > resident ? resident : wanted, kBlock,
                     session.stream(), arguments...);
}

}  // namespace vertigo::gpu
