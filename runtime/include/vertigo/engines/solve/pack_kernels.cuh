#pragma once
// The kernels that pack rows; pack_rows.cu says in which order. A warp works on a unit. Only that
// file includes this one.

#include "vertigo/engines/solve/build_rows.cuh"

namespace vertigo::gpu::solve {
namespace {

/// The units of a window, and what is made of them; arrays of units count from `first`.
template <class Offset>
struct Window {
  unsigned first = 0;
  unsigned last = 0;
  Offset begin = 0;           ///< the window's first source, by its number among all
  Vertex* sources = nullptr;  ///< from `begin` on, by position
  std::uint32_t* values = nullptr;
  unsigned* words = nullptr;  ///< of each unit, without its entry
  Vertex* bases = nullptr;
  unsigned* tiles = nullptr;   ///< that the unit goes to
  unsigned* places = nullptr;  ///< where in its tile its entry lies, and its first word << 16
};

/// The sources of a unit, and its rows: kWarp / `lanes` of them, or fewer.
template <class Offset>
struct UnitSpan {
  unsigned row = 0;
  unsigned end_row = 0;
  unsigned lanes = kWarp;
  Offset begin = 0;
  Offset end = 0;

  __device__ __forceinline__ bool is_one_row() const { return lanes == kWarp; }
  /// Values of a chunk.
  __device__ __forceinline__ unsigned chunk() const {
    return is_one_row() ? kChunk : static_cast<unsigned>(end - begin);
  }
};

template <class Offset>
__device__ __forceinline__ UnitSpan<Offset> span_of(const PullRows<Offset>& rows, unsigned unit) {
  if (unit < rows.piece_count) {
    const Piece<Offset> piece = rows.pieces[unit];
    return {piece.row, piece.row + 1, kWarp, piece.begin, piece.end};
  }
  unsigned kind = 0;
  while (unit >= rows.first_unit[kind + 1]) ++kind;
  const unsigned row = rows.first_row[kind] + ((unit - rows.first_unit[kind]) << kind);
  const unsigned end = min(row + (1u << kind), rows.first_row[kind + 1]);
  return {row, end, kWarp >> kind, rows.begin[row], rows.begin[end]};
}

/// visit(i, row, from, to) for the lane's share of the unit's sources, row by row; a row is worked
/// on by as many lanes as sum it. All lanes come back together.
template <class Offset, class Visit>
__device__ __forceinline__ void for_sources(const PullRows<Offset>& rows,
                                            const UnitSpan<Offset>& unit, const Visit& visit) {
  const unsigned row = unit.row + lane() / unit.lanes;
  if (row < unit.end_row) {
    const Offset from = unit.is_one_row() ? unit.begin : rows.begin[row];
    const Offset to = unit.is_one_row() ? unit.end : rows.begin[row + 1];
    for (Offset e = from + lane() % unit.lanes; e < to; e += unit.lanes) visit(e, row, from);
  }
  __syncwarp();
}

__device__ __forceinline__ unsigned first_warp() {
  return (blockIdx.x * blockDim.x + threadIdx.x) / kWarp;
}
__device__ __forceinline__ unsigned all_warps() { return gridDim.x * (blockDim.x / kWarp); }

template <class Offset>
__global__ void __launch_bounds__(kBlock)
    fill_window(const EdgeLists graph, const PullRows<Offset> rows, const Vertex* positions,
                const Window<Offset> window) {
  for (unsigned unit = window.first + first_warp(); unit < window.last; unit += all_warps())
    for_sources(rows, span_of(rows, unit), [&](Offset e, unsigned row, Offset) {
      const Vertex at = positions[row];
      const Vertex v = rows.order == nullptr ? at : rows.order[at];
      const Vertex source = load_streaming(graph.receiver_sources + graph.receiver_offsets[v] +
                                           (e - rows.begin[row]));
      window.sources[e - window.begin] =
          rows.position_of == nullptr ? source : rows.position_of[source];
    });
}

/// Where each of some rows begins in the window, and the end.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    list_bounds(const Offset* begin, unsigned first, unsigned last, unsigned* bounds) {
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t row = first + std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
       row <= last; row += threads)
    bounds[row - first] = static_cast<unsigned>(begin[row] - begin[first]);
}

/// The width of a chunk, for all lanes.
__device__ __forceinline__ unsigned width_of(const std::uint32_t* values, unsigned count) {
  std::uint32_t bits = 0;
  for (unsigned i = lane(); i < count; i += kWarp) bits |= values[i];
  return 32 - static_cast<unsigned>(__clz(static_cast<int>(__reduce_or_sync(kAllLanes, bits))));
}

/// Sources, which ascend in each row, become values. How many words each unit takes.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    find_values(const PullRows<Offset> rows, const Window<Offset> window) {
  for (unsigned unit = window.first + first_warp(); unit < window.last; unit += all_warps()) {
    const UnitSpan<Offset> span = span_of(rows, unit);
    Vertex least = kNoVertex;
    for_sources(rows, span, [&](Offset e, unsigned, Offset) {
      least = min(least, window.sources[e - window.begin]);
    });
    const Vertex base = __reduce_min_sync(kAllLanes, least);
    for_sources(rows, span, [&](Offset e, unsigned, Offset from) {
      const Vertex* const source = window.sources + (e - window.begin);
      window.values[e - window.begin] = *source - (e == from ? base : source[-1]);
    });
    const std::uint32_t* const values = window.values + (span.begin - window.begin);
    const auto count = static_cast<unsigned>(span.end - span.begin);
    unsigned words = 1;
    for (unsigned start = 0; start < count; start += span.chunk()) {
      const unsigned some = min(span.chunk(), count - start);
      words += (start == 0 ? 0 : 1) + packed_words(some, width_of(values + start, some));
    }
    if (lane() != 0) continue;
    window.words[unit - window.first] = words;
    window.bases[unit - window.first] = base;
  }
}

/// Writes the units [first, last) into tiles that have been zeroed and count from `first_tile`.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    write_units(const PullRows<Offset> rows, const Window<Offset> window, const unsigned first,
                const unsigned last, const unsigned first_tile, std::uint32_t* tiles) {
  for (unsigned unit = first + first_warp(); unit < last; unit += all_warps()) {
    const UnitSpan<Offset> span = span_of(rows, unit);
    const unsigned at = unit - window.first;
    const std::uint32_t* values = window.values + (span.begin - window.begin);
    std::uint32_t* const tile = tiles + std::size_t{window.tiles[at] - first_tile} * kTileWords;
    const unsigned begin = window.places[at] >> 16;
    std::uint32_t* to = tile + begin;
    if (lane() == 0) *to = window.bases[at];
    ++to;
    const auto count = static_cast<unsigned>(span.end - span.begin);
    unsigned first_width = 0;
    for (unsigned start = 0; start < count; start += span.chunk()) {
      const unsigned some = min(span.chunk(), count - start);
      const unsigned width = width_of(values + start, some);
      if (start == 0)
        first_width = width;
      else if (lane() == 0)
        *to = width;
      if (start != 0) ++to;
      const unsigned words = packed_words(some, width);
      for (unsigned i = lane(); i < words; i += kWarp)
        to[i] = packed_word(i, some, width, [&](unsigned k) { return values[start + k]; });
      to += words;
    }
    if (lane() == 0) tile[window.places[at] & 0xffffu] = unit_entry({begin, first_width});
  }
}

}  // namespace
}  // namespace vertigo::gpu::solve
