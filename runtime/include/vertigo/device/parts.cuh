#pragma once
// Parts of the vertices that one launch goes through, one after the other:
//
//   for (const VertexPart part : in_turn(parts)) {
//     Donations donations(graph, part);
//     for (const Tile tile : tiles(part, donations)) { … }
//   }
//
// All blocks wait for each other between two parts, so that a part sees what those before it
// wrote. A launch for each part would cost ten times as much. Where the last parts are left with
// few vertices that take part, `in_turn(parts, [&](Vertex v) { return …; })` passes over parts
// without any: it asks all vertices first.

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
  const std::uint32_t* asked = nullptr;  ///< a bit for each part that is gone through; null: all
  std::uint32_t at = 0;

  __device__ __forceinline__ VertexPart operator*() const {
    const std::uint32_t begin = __ldg(borders + at);
    const bool offered = board != nullptr && __ldg(offers + at) != 0;
    return {items + begin, __ldg(borders + at + 1) - begin, offered ? board : nullptr};
  }
  __device__ __forceinline__ void operator++() {
    ++at;
    pass_over();
    if (at < count) grid_sync();
  }
  /// Goes on to the first part that is asked, this one or a later one. The same in all threads.
  __device__ __forceinline__ void pass_over() {
    if (asked == nullptr) return;
    while (at < count) {
      const std::uint32_t left = asked[at / 32] >> at % 32;
      if (left != 0) {
        at += static_cast<std::uint32_t>(__ffs(static_cast<int>(left))) - 1;
        return;
      }
      at = (at / 32 + 1) * 32;
    }
    at = count;
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

namespace detail {

/// Notes in which parts there is a vertex that may take part. Each block looks at vertices that
/// stand side by side, and so at few parts.
template <class Asks>
__device__ __forceinline__ void note_asked(const VertexParts parts, const Asks& asks) {
  const std::uint32_t first = parts.borders[0];
  const std::uint64_t count = parts.borders[parts.count] - first;
  std::uint32_t part = 0;
  std::uint32_t part_end = first;  ///< of the part at hand; nothing of it is left
  bool noted = false;
  const std::uint64_t end = first + count * (blockIdx.x + 1) / gridDim.x;
  for (std::uint64_t i = first + count * blockIdx.x / gridDim.x + threadIdx.x; i < end;
       i += kBlock) {
    if (i >= part_end) {
      std::uint32_t above = parts.count;  // the first part that begins behind i
      for (std::uint32_t low = part + 1; low < above;) {
        const std::uint32_t middle = low + (above - low) / 2;
        if (parts.borders[middle] <= i)
          low = middle + 1;
        else
          above = middle;
      }
      part = above - 1;
      part_end = parts.borders[above];
      noted = false;
    }
    if (noted || !asks(parts.items[i])) continue;
    noted = true;
    const std::uint32_t bit = 1u << part % 32;
    if ((load_relaxed(parts.asked[part / 32]) & bit) == 0) atomicOr(parts.asked + part / 32, bit);
  }
}

}  // namespace detail

/// As above, but for parts without a vertex of which `asks` holds when the launch begins.
template <class Asks>
__device__ __forceinline__ detail::PartsInTurn in_turn(const VertexParts parts, const Asks& asks) {
  detail::PartsInTurn turns = in_turn(parts);
  if (parts.asked != nullptr) {
    detail::note_asked(parts, asks);
    grid_sync();
    turns.first.asked = parts.asked;
    turns.first.pass_over();
  }
  return turns;
}

/// Launches a kernel that goes through `parts`. Where blocks offer each other long lists, as many
/// as the device holds help.
template <class... Parameters, class... Arguments>
void launch_parts(void (*kernel)(Parameters...), Session& session, const VertexParts& parts,
                  const Arguments&... arguments) {
  if (parts.count == 0) return;
  const bool donates = parts.board.donations != nullptr;
  if (donates) session.clear(parts.board.offered, kBoardWords);
  if (parts.asked != nullptr) session.clear(parts.asked, asked_words(parts.count));
  const unsigned resident = most_resident_blocks(kernel, kBlock);
  const unsigned wanted = session.blocks(parts);
  launch_cooperative(kernel, donates || wanted > resident ? resident : wanted, kBlock,
                     session.stream(), arguments...);
}

}  // namespace vertigo::gpu
