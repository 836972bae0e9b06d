#pragma once
// What the engine `distances` wants to know of a graph before it declares its memory.

#include <cstdint>

#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// What decides how edges are kept, and which way of working pays.
template <class Weight>
struct ListSummary {
  std::uint64_t most_edges = 0;  ///< of one vertex, out-edges
  /// Whether a breadth-first search from one of three vertices, or from one with most edges, comes
  /// to kLongPath levels, each over at most kSearchedEdges. Not asked where some list has more than
  /// kShortLists edges.
  bool has_long_paths = false;
  Weight least{};
  Weight most{};
  double mean = 0;
  unsigned range_bits = 0;  ///< of most - least; floating weights: 64 where they differ

  /// Whatever the graph says, all weights are `weight`.
  void take_equal(Weight weight) {
    least = most = weight;
    mean = static_cast<double>(weight);
    range_bits = 0;
  }
};
inline constexpr std::uint64_t kSearchedEdges = 1u << 20;
/// Paths of that many levels make a graph one for the window, where no vertex has more edges than
/// one lane can take.
inline constexpr std::uint64_t kLongPath = 64;
inline constexpr std::uint64_t kShortLists = 1024;

/// Of the graph on the host, or of its transpose (`back`); without weights all are `everywhere`.
template <class Weight>
ListSummary<Weight> summarize_lists(Session& session, Weight everywhere, bool back);

}  // namespace vertigo::gpu
