#pragma once
// Checks of what a header declares against what the file holds.

#include <cstdint>

#include "raw_graph.h"
#include "scan.h"

namespace vertigo::graph {

/// Vertex ids have 32 bits and the largest stands for "no vertex".
inline constexpr std::uint64_t kMostVertices = 0xFFFFFFFEu;

/// Throws a LineError where `vertices` cannot be counted in 32 bits.
void require_vertex_range(std::uint64_t vertices);

/// An id counted from 1, given back counted from 0; a LineError where it is not in 1 .. vertices.
[[noreturn]] void refuse_range(std::uint64_t id, std::uint64_t first, std::uint64_t last);
inline std::uint64_t scan_counted_id(const char*& at, const char* expected,
                                     std::uint64_t vertices) {
  const std::uint64_t id = scan_id(at, expected);
  if (id - 1 >= vertices) [[unlikely]]
    refuse_range(id, 1, vertices);
  return id - 1;
}

/// Refuses a file that does not hold the declared number of entries: it is truncated, or its header
/// lies.
void require_edge_count(const ReadContext& context, const RawGraph& raw, std::uint64_t found,
                        const char* unit);

/// Refuses a declared number of vertices that the edges do not justify (see
/// ReadOptions::max_vertices).
void require_plausible_vertices(const ReadContext& context, std::uint64_t vertices,
                                std::uint64_t edges, std::uint64_t header_line);

}  // namespace vertigo::graph
