#pragma once
// Packs rows in the device's memory, window by window, and lays them down in host memory; as many
// as the device has room for come back in the end. Preparation: once per graph.

#include "vertigo/engines/solve/build_rows.cuh"

namespace vertigo::gpu::solve {

/// Edges that are packed at a time.
std::uint64_t packed_window(const Session& session, std::uint64_t longest_row);

/// Bytes that pack_rows() takes and gives back.
std::uint64_t packing_memory(std::uint64_t window);

/// What is known of the rows before they are packed. `rows` has everything but sources.
template <class Offset>
struct RowsToPack {
  const EdgeLists& graph;
  PullRows<Offset> rows;
  const Vertex* positions;      ///< of the rows' vertices
  const unsigned* first_piece;  ///< on the host: of each long row, and the end
  std::uint64_t window;         ///< no row is longer
};

/// Tiles in the order of units, all in host memory.
template <class Offset>
PackedRows pack_rows(Session& session, const RowsToPack<Offset>& of, const PackArrays& arrays);

extern template PackedRows pack_rows(Session&, const RowsToPack<std::uint32_t>&, const PackArrays&);
extern template PackedRows pack_rows(Session&, const RowsToPack<std::uint64_t>&, const PackArrays&);

/// Once the memory of the preparation has been given back: moves tiles to the device, as far as
/// there is room, and says in which order all are read.
void place_tiles(Session& session, PackedRows& packed, const PackArrays& arrays);

}  // namespace vertigo::gpu::solve
