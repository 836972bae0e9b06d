#include "declared.h"

#include <fmt/format.h>

#include <algorithm>

namespace vertigo::graph {

void require_vertex_range(std::uint64_t vertices) {
  if (vertices > kMostVertices) {
    throw LineError{fmt::format("the header declares {} vertices; at most {} are supported",
                                vertices, kMostVertices)};
  }
}

void refuse_range(std::uint64_t id, std::uint64_t first, std::uint64_t last) {
  throw LineError{fmt::format("vertex {} is out of range: the header declares vertices {} to {}",
                              id, first, last)};
}

void require_edge_count(const ReadContext& context, const RawGraph& raw, std::uint64_t found,
                        const char* unit) {
  if (raw.edges_declared && *raw.edges_declared != found) {
    throw refused_at_line(context.path, raw.header_line,
                          fmt::format("the header declares {} {}, the file holds {}",
                                      *raw.edges_declared, unit, found));
  }
}

void require_plausible_vertices(const ReadContext& context, std::uint64_t vertices,
                                std::uint64_t edges, std::uint64_t header_line) {
  constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{1} << 22;
  constexpr std::uint64_t kPerEdge = 16;
  const std::uint64_t most = context.options.max_vertices != 0
                                 ? context.options.max_vertices
                                 : std::max(kAlwaysAllowed, kPerEdge * edges);
  if (vertices > most) {
    throw refused_at_line(
        context.path, header_line,
        fmt::format(
            "{} vertices for {} edges are more than the limit of {}: --max-vertices {} allows "
            "them if they are meant",
            vertices, edges, most, vertices));
  }
}

}  // namespace vertigo::graph
