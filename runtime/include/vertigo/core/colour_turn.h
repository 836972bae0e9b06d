#pragma once
// In which order vertices take their colours (vertigo/graph/colouring.h), and how many classes a
// hybrid colouring has. The same on the host and on the device, so that both find the same.

#include <cstdint>

#include "vertigo/core/host_device.h"
#include "vertigo/core/scalar.h"

namespace vertigo {

/// Of two vertices the one with the larger turn goes first, in a hybrid colouring the one with the
/// smaller: by degree, then in any order. Equal degrees are common, and ids in their order would
/// make long chains of vertices that wait for each other. No two vertices get the same: every step
/// of the mixing can be undone.
VERTIGO_HOST_DEVICE inline std::uint64_t colour_turn(std::uint64_t degree, Vertex v) {
  constexpr std::uint64_t kMost = ~std::uint32_t{0};
  std::uint32_t mixed = v;
  mixed = (mixed >> 16 ^ mixed) * 0x045d9f3bu;
  mixed = (mixed >> 16 ^ mixed) * 0x045d9f3bu;
  mixed ^= mixed >> 16;
  return (degree < kMost ? degree : kMost) << 32 | mixed;
}

/// How many classes a hybrid colouring has where nobody says it. Frog (section 1) finds that few
/// colours have about 80% of the vertices: classes are taken until they have as many of those that
/// have edges. A class that has fewer than one in 32 of them is not worth a step of its own, and
/// ends the count: in a graph where that comes first no few classes have most of the vertices.
class DerivedClasses {
 public:
  /// `connected`: vertices that have edges.
  explicit DerivedClasses(std::uint64_t connected) : connected_(connected) {}

  /// Whether the next class, in which so many of these are, is taken.
  bool takes(std::uint64_t members) {
    if (count_ != 0 && taken_ * 5 >= connected_ * 4) return false;
    if (members * 32 < connected_) return false;
    taken_ += members;
    ++count_;
    return true;
  }
  std::uint32_t count() const { return count_; }

 private:
  std::uint64_t connected_;
  std::uint64_t taken_ = 0;
  std::uint32_t count_ = 0;
};
/// It takes no more than that: all but the last have less than 80%, and each one in 32.
inline constexpr std::uint32_t kMostDerived = 26;

}  // namespace vertigo
