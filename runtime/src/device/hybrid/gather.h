#pragma once
// Compaction's part on the host: the lists of active vertices, laid end to end by all cores
// (HyTGraph, section 2: ExpTM-compaction; Subway).

#include <cstdint>
#include <vector>

#include "partitions.h"

namespace vertigo::gpu::hybrid {

/// Where the lists lie.
struct HostLists {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const std::byte* attributes = nullptr;  ///< null: none
  unsigned attribute_bytes = 0;
};

/// Where they go: list i is that of vertices[i], and lies from begins[i] to begins[i + 1].
struct GatheredLists {
  Vertex* vertices = nullptr;
  std::uint32_t* begins = nullptr;
  Vertex* targets = nullptr;
  std::byte* attributes = nullptr;
};

struct Gathered {
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
};

/// Gathers the lists of the piece's vertices whose bit is set in `bits` (bit v of the graph), in
/// ascending order.
class Gatherer {
 public:
  /// How much there is to gather.
  Gathered count(const HostLists& lists, const Piece& piece, const std::uint32_t* bits);
  /// After count(), of the same.
  void gather(const HostLists& lists, const Piece& piece, const std::uint32_t* bits,
              const GatheredLists& to) const;

 private:
  std::vector<Gathered> before_;  ///< each stretch of vertices
};

}  // namespace vertigo::gpu::hybrid
