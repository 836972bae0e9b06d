#pragma once
// Vertices sorted by the turn that each has in a loop over levels. The emitted file says which turn
// that is; the counting sort lies in the library.

#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// Instead of a turn: none in this loop.
inline constexpr std::uint32_t kNoTurn = 0xffffffffu;

struct LevelOrder {
  /// Of each vertex, counted from 1: 0 is the last turn of the launch before, where there was one.
  std::uint32_t* turns = nullptr;
  /// The vertices of turn t + 1 stand from begins[t] to ends[t]. Each turn begins at a multiple of
  /// 32, so that no warp has to wait for its own lanes; kNoVertex fills the gaps.
  Vertex* vertices = nullptr;
  std::uint32_t* begins = nullptr;
  std::uint32_t* ends = nullptr;  ///< while sorting: vertices of each turn
};

void declare_level_order(Session& session, LevelOrder& order, std::uint32_t most_turns);

/// Given `turns`, and how many vertices have each one in `ends`: fills the rest. begins[count] is
/// where the last turn's gap ends.
void sort_by_turn(Session& session, const LevelOrder& order, std::uint32_t count);

}  // namespace vertigo::gpu
