#pragma once
// Lays a graph's in-edges out as PullRows, on the device. Preparation: once per graph.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/solve/pull_rows.cuh"

namespace vertigo::gpu::solve {

/// How long rows are cut.
struct Cut {
  unsigned long_row = kLongRow;
  unsigned piece = kPiece;
};
inline constexpr Cut kPackedCut{kPackedLongRow, kPackedPiece};

inline constexpr std::uint64_t most_long_rows(std::uint64_t edges, Cut cut) {
  return edges / cut.long_row;
}
inline constexpr std::uint64_t most_pieces(std::uint64_t edges, Cut cut) {
  return edges / cut.piece + most_long_rows(edges, cut);
}

/// Where packed rows are listed.
struct PackArrays {
  std::uint64_t room = 0;  ///< for so many tiles
  const std::uint32_t** tiles = nullptr;
  unsigned* first_unit = nullptr;  ///< one more
  TileTurn* turns = nullptr;
};

/// Where the layout lies; the sizes are those of a graph of n vertices and m edges.
template <class Offset>
struct RowArrays {
  Vertex* order = nullptr;          ///< n; where no order is needed, words of NearRows
  Vertex* positions = nullptr;      ///< n; likewise
  Vertex* position_of = nullptr;    ///< n; undefined without an order
  Offset* begin = nullptr;          ///< n + 1
  unsigned* pairs = nullptr;        ///< n; of rows; null where edges have to keep their places
  Vertex* sources = nullptr;        ///< m; null: rows are packed
  unsigned* out_degrees = nullptr;  ///< n
  Piece<Offset>* pieces = nullptr;  ///< most_pieces(m)
  unsigned* first_piece = nullptr;  ///< most_long_rows(m) + 1
  unsigned* pieces_done = nullptr;  ///< most_long_rows(m) + 1; zeroed
  PackArrays packed;                ///< where sources are null
  std::uint64_t window = 0;         ///< then: edges that are packed at a time
};

/// The edges as a program sends along them: from the vertices of `senders` to its targets, and the
/// same seen from the receivers.
struct EdgeLists {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
  const EdgeIndex* sender_offsets = nullptr;
  const Vertex* sender_targets = nullptr;
  const EdgeIndex* receiver_offsets = nullptr;
  const Vertex* receiver_sources = nullptr;
};

/// Bytes that build_rows() takes and gives back, at most; `pairs`: RowArrays::pairs is not null.
/// Sorting the sources of each row takes more, and is left out where that is not there.
template <class Offset>
std::uint64_t row_memory(Vertex vertex_count, bool pairs);
/// The same where rows may be packed.
template <class Offset>
std::uint64_t packed_row_memory(Vertex vertex_count, std::uint64_t window);

/// `hot_room`: positions whose values fit into shared memory.
template <class Offset>
PullRows<Offset> build_rows(Session& session, const EdgeLists& graph,
                            const RowArrays<Offset>& arrays, unsigned hot_room);

extern template PullRows<std::uint32_t> build_rows(Session&, const EdgeLists&,
                                                   const RowArrays<std::uint32_t>&, unsigned);
extern template PullRows<std::uint64_t> build_rows(Session&, const EdgeLists&,
                                                   const RowArrays<std::uint64_t>&, unsigned);

}  // namespace vertigo::gpu::solve
