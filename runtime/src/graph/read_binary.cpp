// The binary formats of others: Galois .gr, GAP .sg and .wsg, and BELGRAPH. All little-endian; ids
// count from 0.

#include <fmt/format.h>

#include <algorithm>

#include "binary_input.h"
#include "declared.h"
#include "readers.h"

namespace vertigo::graph {
namespace {

void require_counts(const InputStream& stream, std::uint64_t vertices, std::uint64_t edges) {
  if (vertices > kMostVertices) {
    throw refused_at_byte(stream.path(), 0,
                          fmt::format("the header declares {} vertices; at most {} are supported",
                                      vertices, kMostVertices));
  }
  if (edges > (std::uint64_t{1} << 48)) {
    throw refused_at_byte(stream.path(), 0, fmt::format("the header declares {} edges", edges));
  }
}

RawGraph counted(std::uint64_t vertices, std::uint64_t edges) {
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.vertex_count = vertices;
  raw.vertices_declared = vertices;
  raw.edges_declared = edges;
  return raw;
}

std::vector<std::int64_t> widened(const std::vector<std::uint32_t>& narrow) {
  return {narrow.begin(), narrow.end()};
}

void read_galois_weights(InputStream& stream, std::uint64_t edge_bytes, std::uint64_t edges,
                         Adjacency& adjacency) {
  if (edge_bytes == 4) {
    std::vector<std::uint32_t> weights;
    read_array(stream, edges, "edge data", weights);
    adjacency.weights = widened(weights);
    return;
  }
  const std::uint64_t byte = stream.position();
  std::vector<std::int64_t> weights;
  read_array(stream, edges, "edge data", weights);
  const auto large =
      std::find_if(weights.begin(), weights.end(), [](std::int64_t w) { return w < 0; });
  if (large != weights.end()) {
    throw refused_at_byte(stream.path(),
                          byte + 8 * static_cast<std::uint64_t>(large - weights.begin()),
                          fmt::format("the weight {} does not fit a signed 64-bit integer",
                                      static_cast<std::uint64_t>(*large)));
  }
  adjacency.weights = std::move(weights);
}

}  // namespace

RawGraph read_galois(StreamPtr stream, const ReadContext&) {
  const auto version = read_value<std::uint64_t>(*stream, "its version");
  const auto edge_bytes = read_value<std::uint64_t>(*stream, "the size of edge data");
  const auto vertices = read_value<std::uint64_t>(*stream, "the number of vertices");
  const auto edges = read_value<std::uint64_t>(*stream, "the number of edges");
  if (version != 1 && version != 2) {
    throw refused_at_byte(stream->path(), 0,
                          fmt::format("Galois version {} is not supported: 1 and 2 are", version));
  }
  if (edge_bytes != 0 && edge_bytes != 4 && edge_bytes != 8) {
    throw refused_at_byte(stream->path(), 8,
                          fmt::format("edge data of {} bytes: expected 0, 4 or 8", edge_bytes));
  }
  require_counts(*stream, vertices, edges);
  RawGraph raw = counted(vertices, edges);
  raw.rows_present = true;
  Adjacency& adjacency = raw.adjacency.emplace();
  // The file has the end of each row; our offsets have a 0 in front.
  std::vector<EdgeIndex> offsets = {0};
  const std::uint64_t offsets_at = stream->position();
  read_array(*stream, vertices, "offsets", offsets);
  check_offsets(stream->path(), offsets, edges, offsets_at - 8);
  adjacency.offsets = std::move(offsets);
  const std::uint64_t targets_at = stream->position();
  std::vector<Vertex> targets;
  if (version == 1) {
    read_array(*stream, edges, "targets", targets);
    if (edges % 2 == 1 && edge_bytes > 0)
      read_value<std::uint32_t>(*stream, "the padding of its targets");
  } else {
    std::vector<std::uint64_t> wide;
    read_array(*stream, edges, "targets", wide);
    const auto bad =
        std::find_if(wide.begin(), wide.end(), [&](std::uint64_t v) { return v >= vertices; });
    if (bad != wide.end()) {
      throw refused_at_byte(
          stream->path(), targets_at + 8 * static_cast<std::uint64_t>(bad - wide.begin()),
          fmt::format("vertex {} is out of range: there are {} vertices", *bad, vertices));
    }
    targets.assign(wide.begin(), wide.end());
  }
  check_targets(stream->path(), targets, vertices, targets_at, 4);
  adjacency.targets = std::move(targets);
  if (edge_bytes > 0) {
    raw.weighted = true;
    read_galois_weights(*stream, edge_bytes, edges, adjacency);
    require_end(*stream);
  } else if (version == 1 && edges % 2 == 1) {
    // Writers differ on whether the padding follows where no data does.
    char padding[4];
    if (stream->read(padding, 4) == 4) require_end(*stream);
  } else {
    require_end(*stream);
  }
  return raw;
}

RawGraph read_gap(StreamPtr stream, const ReadContext&) {
  const auto directed = read_value<std::uint8_t>(*stream, "its header");
  const auto edges = read_value<std::uint64_t>(*stream, "the number of edges");
  const auto vertices = read_value<std::uint64_t>(*stream, "the number of vertices");
  if (directed > 1)
    throw refused_at_byte(stream->path(), 0, "the first byte of a GAP graph is 0 or 1");
  require_counts(*stream, vertices, edges);
  // Nothing but the size tells .sg from .wsg.
  const std::uint64_t sides = directed == 1 ? 2 : 1;
  const std::uint64_t size = decompressed_size(stream->path());
  const std::uint64_t offsets_bytes = 8 * (vertices + 1);
  const std::uint64_t plain = 17 + sides * (offsets_bytes + 4 * edges);
  const std::uint64_t weighted = 17 + sides * (offsets_bytes + 8 * edges);
  if (size != plain && size != weighted) {
    throw refused_at_byte(
        stream->path(), std::min(size, weighted),
        fmt::format("{} vertices and {} edges take {} bytes, or {} with weights; the file has {}",
                    vertices, edges, plain, weighted, size));
  }
  RawGraph raw = counted(vertices, edges);
  raw.undirected = raw.both_directions = directed == 0;
  raw.weighted = edges > 0 && size == weighted;
  raw.rows_present = true;
  Adjacency& adjacency = raw.adjacency.emplace();
  std::vector<EdgeIndex> offsets;
  read_array(*stream, vertices + 1, "offsets", offsets);
  check_offsets(stream->path(), offsets, edges, 17);
  adjacency.offsets = std::move(offsets);
  const std::uint64_t targets_at = stream->position();
  std::vector<Vertex> targets;
  if (raw.weighted) {
    struct Cell {
      Vertex target;
      std::int32_t weight;
    };
    std::vector<Cell> cells;
    read_array(*stream, edges, "neighbours", cells);
    targets.resize(edges);
    std::vector<std::int64_t> weights(edges);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < cells.size(); ++i) {
      targets[i] = cells[i].target;
      weights[i] = cells[i].weight;
    }
    adjacency.weights = std::move(weights);
  } else {
    read_array(*stream, edges, "neighbours", targets);
  }
  check_targets(stream->path(), targets, vertices, targets_at, raw.weighted ? 8 : 4);
  adjacency.targets = std::move(targets);
  // A directed file repeats everything for the transpose, which is rebuilt when it is needed.
  return raw;
}

RawGraph read_bel(StreamPtr stream, const ReadContext&) {
  if (read_value<std::uint64_t>(*stream, "its header") != 0x48504152474C4542u) {
    throw refused_at_byte(stream->path(), 0, "expected the first bytes 'BELGRAPH'");
  }
  const auto vertices = read_value<std::uint64_t>(*stream, "the number of vertices");
  const auto edges = read_value<std::uint64_t>(*stream, "the number of edges");
  require_counts(*stream, vertices, edges);
  if (const auto size = stream->known_size(); size && *size != 24 + 12 * edges) {
    throw refused_at_byte(
        stream->path(), std::min(*size, 24 + 12 * edges),
        fmt::format("{} edges take {} bytes, the file has {}", edges, 24 + 12 * edges, *size));
  }
  RawGraph raw = counted(vertices, edges);
  raw.weighted = true;
  // Three columns, each cut into runs so that later steps work on them in parallel.
  constexpr std::uint64_t kRun = std::uint64_t{1} << 21;
  std::vector<std::uint32_t> narrow;
  for (int column = 0; column < 3; ++column) {
    for (std::uint64_t begin = 0; begin < edges; begin += kRun) {
      if (column == 0) raw.runs.emplace_back();
      EdgeRun& run = raw.runs[begin / kRun];
      const std::uint64_t count = std::min(kRun, edges - begin);
      if (column == 0) read_array(*stream, count, "sources", run.narrow_sources());
      if (column == 1) read_array(*stream, count, "targets", run.narrow_targets());
      if (column == 2) {
        narrow.clear();
        read_array(*stream, count, "weights", narrow);
        run.integers().assign(narrow.begin(), narrow.end());
      }
      const auto& ids = column == 0 ? run.narrow_sources() : run.narrow_targets();
      const auto bad = column == 2 ? ids.end()
                                   : std::find_if(ids.begin(), ids.end(),
                                                  [&](Vertex v) { return v >= vertices; });
      if (bad != ids.end()) {
        const auto at = begin + static_cast<std::uint64_t>(bad - ids.begin());
        throw refused_at_byte(
            stream->path(), 24 + 4 * (static_cast<std::uint64_t>(column) * edges + at),
            fmt::format("vertex {} is out of range: there are {} vertices", *bad, vertices));
      }
    }
  }
  require_end(*stream);
  return raw;
}

}  // namespace vertigo::graph
