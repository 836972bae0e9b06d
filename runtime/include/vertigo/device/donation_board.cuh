#pragma once
// Where the blocks of a step offer long lists to each other, set up by the host. Host code reads
// this header without CUDA; donations.cuh says how it is used.

#include "vertigo/device/buffers.cuh"

namespace vertigo::gpu {

/// Vertices of a worklist that may offer: a longer one has work enough for all blocks.
inline constexpr unsigned kMostDonors = 1024;
/// Calls of a kernel, in the order in which a block comes by them, that may offer lists.
inline constexpr unsigned kDonatingCalls = 4;
/// Offers of a step, each list once for each of these calls; a power of two.
inline constexpr unsigned kDonations = kMostDonors * kDonatingCalls;
/// The least length of a piece.
inline constexpr unsigned kPieceEdges = 2 * kBlock;
/// Room for a list with what its vertex keeps, and for what its pieces come to.
inline constexpr unsigned kDonatedBytes = 96;
inline constexpr unsigned kDonatedResults = 1024;

namespace detail {

/// A list on offer.
struct Donation {
  unsigned next;  ///< the first piece that nobody has taken
  unsigned done;  ///< pieces
  EdgeIndex piece_edges;
  alignas(16) unsigned char list[kDonatedBytes];       ///< an EdgeList
  alignas(16) unsigned char results[kDonatedResults];  ///< of its pieces
};

}  // namespace detail

/// Each block has a copy of it, and all of them are equal when a step begins.
struct DonationBoard {
  detail::Donation* donations = nullptr;  ///< kDonations; offer i is at i modulo that
  std::uint64_t* stamps = nullptr;        ///< of the offers, each in one word (donations.cuh)
  std::uint32_t* offered = nullptr;       ///< offers of all steps
  std::uint32_t* finished = nullptr;  ///< blocks that visited all of their vertices, of all steps
  std::uint32_t seen = 0;             ///< offers of the steps that are over
  std::uint32_t turns = 0;            ///< those steps
};

/// Lists of vertices that one launch goes through, one after the other (parts.cuh).
struct VertexParts {
  const Vertex* items = nullptr;           ///< of all parts
  const std::uint32_t* borders = nullptr;  ///< where each begins among them, and the last one's end
  const std::uint32_t* offers = nullptr;   ///< of each, 1 where its blocks offer each other lists
  std::uint32_t count = 0;
  std::uint32_t longest = 0;  ///< vertices of the longest
  /// A bit for each, cleared by launch_parts(): whether somebody in it may take part. Null where
  /// parts are so few that to find out would take longer than to go through them.
  std::uint32_t* asked = nullptr;
  DonationBoard board;  ///< null where no part offers any
};

/// And what is in none of them: one list or none.
struct PartsAndRest {
  VertexParts parts;
  VertexParts rest;
};

inline std::uint32_t asked_words(std::uint64_t parts) {
  return static_cast<std::uint32_t>((parts + 31) / 32);
}

/// The words of a board lie in one array, each of the two that all blocks change in a line of its
/// own.
inline constexpr unsigned kBoardLine = 32;
inline constexpr unsigned kBoardWords = 2 * kBoardLine + 2 * kDonations;

}  // namespace vertigo::gpu
