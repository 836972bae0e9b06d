#pragma once
// Every edge in the list of its end of fewer edges, and rows of bits for the lists of hubs. Made on
// the device, in a library.

#include "vertigo/device/session.cuh"

namespace vertigo::gpu::wedges {

/// Lists from these lengths on go to a warp, and to a block.
inline constexpr unsigned kWarpFrom = 8;
inline constexpr unsigned kBlockFrom = 64;

/// 128 vertices of a row of bits: what a thread reads at once.
struct alignas(16) Unit {
  static constexpr unsigned kVertices = 128;
  std::uint32_t words[4];
};

/// Most vertices that have rows: their numbers fit into 16 bits. All rows take 270 MB.
inline constexpr Vertex kMostRows = 1u << 16;

/// The first unit of a vertex's row. Row v ends with the unit that v itself falls into: its list
/// holds lower numbers alone.
VERTIGO_HOST_DEVICE inline std::uint64_t row_at(std::uint64_t v) {
  const std::uint64_t units = v / Unit::kVertices;
  return (Unit::kVertices * units / 2 + v % Unit::kVertices) * (units + 1);
}

/// A list and how to go through it. One load.
struct alignas(16) List {
  EdgeIndex begin;
  std::uint32_t length;
  std::uint16_t units;     ///< the dense front of the list: units of its row that are read instead
  std::uint16_t in_units;  ///< the vertices in them
};

/// Vertices have numbers, small ones where they have many edges. A list holds the neighbours of
/// lower numbers, ascending.
struct Oriented {
  Vertex vertex_count = 0;
  Vertex* order = nullptr;    ///< the vertex of each number; null: ids are the numbers
  Vertex* numbers = nullptr;  ///< of each vertex
  List* lists = nullptr;      ///< by number
  const Vertex* targets = nullptr;
  Vertex* own_targets = nullptr;          ///< where they are not the graph's own
  std::uint16_t* near_targets = nullptr;  ///< of the lists that have rows
  Unit* rows = nullptr;
  std::uint16_t* ranks = nullptr;  ///< of each unit: how many of the list are before it; of sides
  Vertex row_count = 0;            ///< vertices below it have rows
  Worklist longs{};                ///< numbers whose lists have kBlockFrom vertices and more
  Worklist shorts{};               ///< whose lists have kWarpFrom and more
  Flag has_loops{};                ///< some vertex has an edge to itself
};

/// The lists of the graph whose out-edges these are; it is symmetric, its lists ascend, and no two
/// edges are the same. `sides`: edges are found in rows.
void declare_oriented(Session& session, Oriented& lists, bool sides);
void orient(Session& session, const EdgeIndex* offsets, const Vertex* targets, Oriented& lists);

}  // namespace vertigo::gpu::wedges
