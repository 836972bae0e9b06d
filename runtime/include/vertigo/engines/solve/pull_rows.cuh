#pragma once
// The in-edges of a graph laid out for summing over all of them, again and again: vertices renamed
// so that those with many out-edges, which everybody reads, lie side by side, and rows grouped by
// length so that no lane of a warp waits for another. A vertex's place in that order is its
// position.

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/engines/solve/packed_rows.h"

namespace vertigo::gpu::solve {

/// Rows of class c are summed by 32 >> c lanes, at most kWordsPerLane words each (class 0: more).
/// Four loads in flight per lane cover the latency; fewer words per lane leave lanes idle.
inline constexpr unsigned kClasses = 6;
inline constexpr unsigned kWordsPerLane = 4;
/// Longer rows are cut into pieces, one warp each: a hub's row would outlast the whole sweep.
inline constexpr unsigned kLongRow = 4096;
inline constexpr unsigned kPiece = 2048;

template <class Offset>
struct Piece {
  Offset begin;
  Offset end;
  Offset pairs_end;  ///< that of its row
  unsigned row;
};

/// Positions below this one can be told in half a word, so that a row lists two of them per word.
inline constexpr unsigned kMostPaired = 1u << 16;

/// Rows of at most four in-neighbours that lie close by, as in road networks: the distances from
/// the row's own position, 16 bits each, two per word. What a thread needs to know of its row is
/// one coalesced read, and half of what offsets and ids are.
struct NearRows {
  const std::uint32_t* first = nullptr;  ///< by row; null: most rows are not near
  const std::uint32_t* second = nullptr;
};
inline constexpr unsigned kNearSources = 4;
inline constexpr std::uint32_t kNoSource = 0x8000;
/// The first word of a row that is not near. No other row has a second source and no first.
inline constexpr std::uint32_t kFarRow = kNoSource;

template <class Offset>
struct PullRows {
  Vertex vertex_count = 0;
  Vertex row_count = 0;                 ///< vertices with in-edges; long rows first, then by class
  const Vertex* order = nullptr;        ///< the vertex at a position; null: positions are vertices
  const Vertex* position_of = nullptr;  ///< of each vertex, where there is an order
  const Vertex* positions = nullptr;    ///< of the rows' vertices; null: row k is position k
  EdgeIndex edge_count = 0;
  const Offset* begin = nullptr;  ///< row_count + 1 of them: a row's words of `sources`
  /// How many of a row's words, the first ones, are two hot positions each; null: none. The others
  /// are one position each.
  const unsigned* pairs = nullptr;
  const Vertex* sources = nullptr;        ///< positions of the in-neighbours; null: `packed` is not
  const unsigned* out_degrees = nullptr;  ///< by position
  unsigned long_rows = 0;
  unsigned piece_count = 0;
  const Piece<Offset>* pieces = nullptr;
  const unsigned* first_piece = nullptr;  ///< of each long row, and the end
  unsigned first_row[kClasses + 1] = {};
  unsigned first_unit[kClasses + 1] = {};  ///< a warp's work; pieces are units 0 … piece_count
  unsigned hot = 0;                        ///< of the first positions, most edges leave
  Vertex row_end = 0;                      ///< from this position on, none has a row
  PackedRows packed;                       ///< the sources instead, in ascending order
  NearRows near;  ///< rows are vertices then, and all as short as class kClasses - 1
};

/// What one lane adds up of begin … end: every kLanes-th word from its own, four loads at a time,
/// in a fixed order. `value(e, word)` is what word e brings.
template <unsigned kLanes, class Sum, class Offset, class Value>
__device__ __forceinline__ Sum row_sum(const Vertex* sources, Offset begin, Offset end,
                                       unsigned own, const Value& value) {
  using Term = typename Sum::Term;
  Sum sum;
  Offset e = begin + own;
  while (e < end && end - e > 3 * kLanes) {
    const Vertex a = load_streaming(sources + e);
    const Vertex b = load_streaming(sources + e + kLanes);
    const Vertex c = load_streaming(sources + e + 2 * kLanes);
    const Vertex d = load_streaming(sources + e + 3 * kLanes);
    sum.add(value(e, a), value(e + kLanes, b), value(e + 2 * kLanes, c), value(e + 3 * kLanes, d));
    e += 4 * kLanes;
  }
  if (e >= end) return sum;
  // At most three are left. All ids are asked for before the first value is.
  const Offset left = end - e;
  const bool second = left > kLanes;
  const bool third = left > 2 * kLanes;
  const Vertex a = load_streaming(sources + e);
  const Vertex b = second ? load_streaming(sources + e + kLanes) : 0;
  const Vertex c = third ? load_streaming(sources + e + 2 * kLanes) : 0;
  sum.add(value(e, a), second ? value(e + kLanes, b) : Term{},
          third ? value(e + 2 * kLanes, c) : Term{}, Term{});
  return sum;
}

}  // namespace vertigo::gpu::solve
