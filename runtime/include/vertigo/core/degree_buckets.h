#pragma once
// The buckets of an approximate sort by degree (Edge-Vertex section 4.1): a linear projection of
// the degrees onto a fixed number of buckets, the largest degrees first. The same on every target,
// so that the host knows how many messages a layout has room for before the device sorts anything.

#include <cstdint>

#include "vertigo/core/host_device.h"

namespace vertigo {

/// Whose lists: out-edges, in-edges, or both of a vertex.
enum class Along : std::uint8_t { Out, In, Both };

struct DegreeBuckets {
  /// Degrees follow a power law: of a thousand buckets, as the paper takes, the last would hold
  /// nearly all vertices, whose degrees differ by a factor of hundreds. Where fewer degrees than
  /// this occur the order is exact.
  static constexpr std::uint64_t kCount = 1u << 16;

  std::uint64_t most;
  std::uint64_t width;

  VERTIGO_HOST_DEVICE inline DegreeBuckets(std::uint64_t least, std::uint64_t most_of_all)
      : most(most_of_all), width((most_of_all - least) / kCount + 1) {}
  /// Below kCount for degrees in [least, most].
  VERTIGO_HOST_DEVICE inline std::uint64_t of(std::uint64_t degree) const {
    return (most - degree) / width;
  }
};

}  // namespace vertigo
