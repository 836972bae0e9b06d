#pragma once
// What the lengths of lists tell. A device that has the lists is asked where it knows, and their
// offsets stay there (vertigo/graph/device_lists.h).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vertigo/core/scalar.h"

namespace vertigo::graph {

struct Adjacency;

/// How many lists have which length.
struct DegreeCounts {
  /// Lengths below are counted, the few others are kept one by one.
  static constexpr std::size_t kCounted = std::size_t{1} << 16;

  std::vector<std::uint64_t> lists;  ///< of each length below kCounted, up to the longest of them
  std::vector<EdgeIndex> longer;     ///< lengths of the other lists, descending

  /// 0 where there is no list.
  EdgeIndex longest() const {
    if (!longer.empty()) return longer.front();
    return lists.empty() ? 0 : lists.size() - 1;
  }
};

/// What one look at all offsets tells.
struct DegreeFacts {
  DegreeCounts counts;
  Vertex first_longest = 0;  ///< the first vertex that has a list of the greatest length
};

DegreeCounts degree_counts(const Adjacency& adjacency);
/// The first vertex that has a list of the greatest length; there is one.
Vertex first_longest(const Adjacency& adjacency);
/// Bit v % 64 of word v / 64 is set where the list of v is not empty.
std::vector<std::uint64_t> filled_lists(const Adjacency& adjacency);

}  // namespace vertigo::graph
