#pragma once
// What the wide search of engine `levels` reads and writes.

#include "vertigo/device/intrinsics.cuh"
#include "vertigo/engines/common/edge_condition.cuh"

namespace vertigo::gpu::levels {

inline constexpr unsigned kWideThreads = 512;
inline constexpr unsigned kWideBlocksPerSm = 2;
/// Edges that a lane has under way at once, and vertices that it pulls for: what a level lasts is
/// latency. Graphs of more than four billion edges do with one, which halves what nvcc has to do.
template <class Offset>
inline constexpr unsigned kAtOnce = sizeof(Offset) == 4 ? 4 : 1;
/// Lists from this length on are shared out over all warps in chunks; shorter ones over the lanes
/// of a warp.
inline constexpr unsigned kLongList = 64;
/// In-neighbours of every vertex that are kept flat, those of highest in-degree first.
inline constexpr unsigned kHeads = 2;

/// The graph as the search reads it.
template <class Offset, class Condition>
struct WideGraph {
  Vertex vertex_count;
  std::uint64_t edge_count;
  const Offset* out_offsets;
  const Vertex* out_targets;
  const Offset* in_offsets;
  const Vertex* in_targets;
  const Vertex* heads[kHeads];     ///< kNoVertex where a vertex has fewer in-neighbours
  const std::uint32_t* unreached;  ///< bits of vertices without in-edges, and of none
  Condition condition;
};

/// Levels whose counts take turns: of the one before, of this one, and of the next.
inline constexpr unsigned kLevelsCounted = 3;

struct LevelCounts {
  unsigned long long edges;  ///< out-edges of its vertices, where the level before was pushed
  unsigned long long looked_at;
  std::uint32_t vertices;
  std::uint32_t singles;
  /// Chunks of its long lists, and their number in the upper half: both grow in one step, so that
  /// `first_chunks` ascends.
  unsigned long long long_lists;
};

/// A level's vertices as lists.
template <class Offset>
struct Frontier {
  Vertex* singles;  ///< with short lists
  // Of long ones:
  Offset* begins;
  Offset* lengths;
  std::uint32_t* first_chunks;  ///< chunks of the long lists before it
  Vertex* owners;               ///< whose lists they are, where edges have a condition
};

template <class Offset>
struct WideBuffers {
  std::uint32_t* visited[2];
  Frontier<Offset> frontiers[2];
  LevelCounts* counts;  ///< kLevelsCounted
};

/// When to change direction (Beamer et al., section 5).
struct Switch {
  std::uint32_t alpha = 14;  ///< pull when alpha · edges of the frontier > edges not yet looked at
  std::uint32_t beta = 24;   ///< push again after two levels of fewer than vertices / beta
};

}  // namespace vertigo::gpu::levels
