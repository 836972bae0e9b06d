#pragma once
// What the engine `distances` wants to know of a graph before it declares its memory.

#include <cstdint>

#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

/// What decides how edges are kept, and which way of working pays.
template <class Weight>
struct ListSummary {
  std::uint64_t most_edges = 0;  ///< of one vertex, out-edges
  /// Most levels of breadth-first searches from a vertex with most edges and from three others,
  /// each over at most kSearchedEdges.
  std::uint64_t levels = 0;
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

/// Of the graph on the host, or of its transpose (`back`); without weights all are `everywhere`.
template <class Weight>
ListSummary<Weight> summarize_lists(Session& session, Weight everywhere, bool back);

}  // namespace vertigo::gpu
