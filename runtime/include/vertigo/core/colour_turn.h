#pragma once
// In which order vertices take their colours (vertigo/graph/colouring.h), and how many classes a
// hybrid colouring has. The same on the host and on the device, so that both find the same.

#include <cstdint>

#include "vertigo/core/host_device.h"
#include "vertigo/core/scalar.h"

namespace vertigo {

/// Of two vertices the one with the larger turn goes first: by degree, then in any order. Equal
/// degrees are common, and ids in their order would make long chains of vertices that wait for each
/// other. No two vertices get the same: every step of the mixing can be undone.
VERTIGO_HOST_DEVICE inline std::uint64_t colour_turn(std::uint64_t degree, Vertex v) {
  constexpr std::uint64_t kMost = ~std::uint32_t{0};
  std::uint32_t mixed = v;
  mixed = (mixed >> 16 ^ mixed) * 0x045d9f3bu;
  mixed = (mixed >> 16 ^ mixed) * 0x045d9f3bu;
  mixed ^= mixed >> 16;
  return (degree < kMost ? degree : kMost) << 32 | mixed;
}

/// As a hybrid colouring counts a vertex's edges: with a mark it is a word.
VERTIGO_HOST_DEVICE inline std::uint32_t hybrid_degree(std::uint64_t edges) {
  constexpr std::uint32_t kMost = (1u << 24) - 1;
  return edges < kMost ? static_cast<std::uint32_t>(edges) : kMost;
}
/// The same turn in a hybrid colouring, where the vertex with the smaller one goes first.
VERTIGO_HOST_DEVICE inline std::uint64_t hybrid_turn(std::uint32_t hybrid_degree, Vertex v) {
  return colour_turn(hybrid_degree, v);
}

/// A class for every colour.
inline constexpr std::uint32_t kAllColours = ~std::uint32_t{0};
/// As many classes as DerivedClasses takes.
inline constexpr std::uint32_t kDerivedColours = 0;
/// Most classes without neighbours that may stand before a rest: their numbers, that of the rest,
/// and marks for vertices without a class fit in a byte.
inline constexpr std::uint32_t kMostBeforeRest = 250;

/// How many classes a hybrid colouring has where nobody says it. Frog (section 1) finds that few
/// colours have about 80% of the vertices: classes are taken until they have as many of those that
/// have edges. A class that has fewer than one in 32 of them is not worth a step of its own, and
/// ends the count: in a graph where that comes first no few classes have most of the vertices.
class DerivedClasses {
 public:
  /// `connected`: vertices that have edges.
  VERTIGO_HOST_DEVICE explicit DerivedClasses(std::uint64_t connected) : connected_(connected) {}

  /// Whether the next class, in which so many of these are, is taken.
  VERTIGO_HOST_DEVICE bool takes(std::uint64_t members) {
    if (has_enough() || members * 32 < connected_) return false;
    taken_ += members;
    ++count_;
    return true;
  }
  VERTIGO_HOST_DEVICE bool has_enough() const {
    return count_ != 0 && taken_ * 5 >= connected_ * 4;
  }
  VERTIGO_HOST_DEVICE std::uint32_t count() const { return count_; }

 private:
  std::uint64_t connected_;
  std::uint64_t taken_ = 0;
  std::uint32_t count_ = 0;
};
/// It takes no more than that: all but the last have less than 80%, and each one in 32.
inline constexpr std::uint32_t kMostDerived = 26;

}  // namespace vertigo
