// The binary formats of others: Galois .gr, GAP .sg and .wsg, and BELGRAPH. All little-endian; ids
// count from 0.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "binary_input.h"
#include "declared.h"
#include "device_lists_of_file.h"
#include "readers.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/number_text.h"

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

RawGraph of_counts(std::uint64_t vertices, std::uint64_t edges) {
  RawGraph raw;
  raw.ids = IdSource::Counted;
  raw.vertex_count = vertices;
  raw.vertices_declared = vertices;
  raw.edges_declared = edges;
  return raw;
}

// Values as they are kept, made of those in the file.
template <class Kept, class Stored>
Array<Kept> converted(InputStream& stream, std::uint64_t count, const char* what) {
  const ValuesInPieces<Stored> stored(stream, count, what);
  Room<Kept> kept(count);
  stored.each([&](std::uint64_t first, std::span<const Stored> values) {
    std::copy(values.begin(), values.end(), kept.data() + first);
  });
  return std::move(kept).finished();
}

// The number of the first value of `values` that `test` holds for; their count where there is none.
template <class T, class Test>
std::uint64_t first_where(std::span<const T> values, const Test& test) {
  std::uint64_t found = values.size();
#pragma omp parallel for schedule(static) reduction(min : found)
  for (std::size_t i = 0; i < values.size(); ++i)
    if (test(values[i])) found = std::min<std::uint64_t>(found, i);
  return found;
}

Array<std::int64_t> read_galois_weights(InputStream& stream, std::uint64_t edge_bytes,
                                        std::uint64_t edges) {
  if (edge_bytes == 4) return converted<std::int64_t, std::uint32_t>(stream, edges, "edge data");
  const std::uint64_t byte = stream.position();
  auto weights = read_array<std::int64_t>(stream, edges, "edge data");
  const std::uint64_t large =
      first_where<std::int64_t>(weights, [](std::int64_t weight) { return weight < 0; });
  if (large < edges) {
    throw refused_at_byte(stream.path(), byte + 8 * large,
                          fmt::format("the weight {} does not fit a signed 64-bit integer",
                                      static_cast<std::uint64_t>(weights[large])));
  }
  return weights;
}

// Version 2 has 64 bits for a target.
Array<Vertex> read_wide_targets(InputStream& stream, std::uint64_t edges, std::uint64_t vertices) {
  const std::uint64_t byte = stream.position();
  const ValuesInPieces<std::uint64_t> wide(stream, edges, "targets");
  Room<Vertex> targets(edges);
  std::mutex mutex;
  std::uint64_t bad = edges;
  std::uint64_t bad_target = 0;
  wide.each([&](std::uint64_t first, std::span<const std::uint64_t> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      targets[first + i] = static_cast<Vertex>(values[i]);
      if (values[i] < vertices) continue;
      const std::lock_guard lock(mutex);
      if (first + i < bad) bad_target = values[i];
      bad = std::min(bad, first + i);
      return;
    }
  });
  if (bad < edges) {
    throw refused_at_byte(stream.path(), byte + 8 * bad,
                          fmt::format("vertex {} is out of range: the graph has {}", bad_target,
                                      counted(vertices, "vertex", "vertices")));
  }
  return std::move(targets).finished();
}

// Targets and weights stand in turn.
struct GapCell {
  Vertex target;
  std::int32_t weight;
};

ScalarKind kind_of_gap_weights(const ReadOptions& options) {
  // Sums may need more than 32 bits.
  return options.duplicates == DuplicatePolicy::Sum ? ScalarKind::Int64 : ScalarKind::Int32;
}

template <class W>
void read_gap_cells(InputStream& stream, std::uint64_t edges, Adjacency& adjacency) {
  const ValuesInPieces<GapCell> cells(stream, edges, "neighbours");
  Room<Vertex> targets(edges);
  Room<W> weights(edges);
  cells.each([&](std::uint64_t first, std::span<const GapCell> piece) {
    Vertex* const to = targets.data() + first;
    W* const weight_to = weights.data() + first;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      to[i] = piece[i].target;
      weight_to[i] = piece[i].weight;
    }
  });
  adjacency.targets = std::move(targets).finished();
  adjacency.weights = std::move(weights).finished();
}

Array<Vertex> read_gap_targets(InputStream& stream, std::uint64_t edges) {
  const ValuesInPieces<GapCell> cells(stream, edges, "neighbours");
  Room<Vertex> targets(edges);
  cells.each([&](std::uint64_t first, std::span<const GapCell> piece) {
    for (std::size_t i = 0; i < piece.size(); ++i) targets[first + i] = piece[i].target;
  });
  return std::move(targets).finished();
}

// Three columns of equal length, cut into runs so that later steps work on them in parallel.
constexpr std::uint64_t kBelRun = std::uint64_t{1} << 20;
using BelIds = ValuesInPieces<Vertex, kBelRun>;

Column<Vertex>& bel_ids(EdgeRun& run, int column) {
  return column == 0 ? run.narrow_sources() : run.narrow_targets();
}

void take_bel_ids(const BelIds& ids, int column, std::uint64_t vertices, std::uint64_t edges,
                  const std::string& path, std::uint64_t byte, RawGraph& raw) {
  raw.runs.resize((edges + kBelRun - 1) / kBelRun);
  ids.each_into([&](std::uint64_t first, std::uint64_t count) {
    Column<Vertex>& values = bel_ids(raw.runs[first / kBelRun], column);
    values.resize(count);
    return values.data();
  });
  for (std::size_t r = 0; r < raw.runs.size(); ++r) {
    const auto& values = bel_ids(raw.runs[r], column);
    const std::uint64_t bad =
        first_where<Vertex>(values, [&](Vertex vertex) { return vertex >= vertices; });
    if (bad == values.size()) continue;
    throw refused_at_byte(path, byte + 4 * (r * kBelRun + bad),
                          fmt::format("vertex {} is out of range: the graph has {}", values[bad],
                                      counted(vertices, "vertex", "vertices")));
  }
}

// Writes where lists begin behind the first within a piece of the sources. False where these do not
// ascend.
bool mark_lists(std::uint64_t first, std::span<const Vertex> sources, Room<EdgeIndex>& offsets) {
  Vertex at = sources.front();
  for (std::size_t i = 1; i < sources.size(); ++i) {
    if (sources[i] == at) continue;
    if (sources[i] < at || sources[i] > sources.back()) return false;
    while (at < sources[i]) offsets[++at] = first + i;
  }
  return true;
}

// Where sources ascend, as in files that were written list by list, the offsets of the lists:
// nothing need be sorted, nor the sources kept. Nothing where they do not, or one names no vertex.
std::optional<Array<EdgeIndex>> offsets_of_ascending(const BelIds& sources, std::uint64_t vertices,
                                                     std::uint64_t edges) {
  // Whether a header may declare so many vertices is asked later.
  if (edges == 0 || vertices > 16 * edges) return std::nullopt;
  require_memory((vertices + 1) * sizeof(EdgeIndex), "building this graph");
  // What begins between two pieces. Where the ends of pieces ascend, no two pieces write the same.
  std::uint64_t last = 0;
  Room<EdgeIndex> offsets(vertices + 1);
  std::uint64_t next = 0;
  for (std::uint64_t first = 0; first < edges; first += kBelRun) {
    const Vertex begin = sources.at(first);
    const Vertex end = sources.at(std::min(first + kBelRun, edges) - 1);
    if (begin < last || end < begin || end >= vertices) return std::nullopt;
    while (next <= begin) offsets[next++] = first;
    next = std::uint64_t{end} + 1;
    last = end;
  }
  std::fill(offsets.begin() + next, offsets.end(), edges);
  std::atomic<bool> ascend = true;
  sources.each([&](std::uint64_t first, std::span<const Vertex> values) {
    if (ascend && !mark_lists(first, values, offsets)) ascend = false;
  });
  if (!ascend) return std::nullopt;
  return std::move(offsets).finished();
}

// Targets, and behind them weights of 32 bits.
void take_bel_lists(const RawFile& file, const ReadContext& context, InputStream& stream,
                    Array<EdgeIndex> offsets, std::uint64_t edges, bool with_weights,
                    RawGraph& raw) {
  StoredLists stored{.offsets = std::move(offsets),
                     .deliver_targets = deliver_next(stream, file, edges, 4, "targets")};
  if (with_weights)
    stored.weights = {ScalarKind::UInt32, ScalarKind::Int64,
                      deliver_next(stream, file, edges, 4, "weights")};
  else
    const ValuesInPieces<std::uint32_t> left_out(stream, edges, "weights");
  raw.adjacency = take_on_device(context, stored, raw.facts.emplace());
}

void read_bel_lists(InputStream& stream, Array<EdgeIndex> offsets, std::uint64_t edges,
                    bool with_weights, RawGraph& raw) {
  Adjacency& adjacency = raw.adjacency.emplace();
  adjacency.offsets = std::move(offsets);
  raw.facts = read_targets(stream, edges, "targets", adjacency);
  if (with_weights)
    adjacency.weights = converted<std::int64_t, std::uint32_t>(stream, edges, "weights");
  else
    const ValuesInPieces<std::uint32_t, kBelRun> left_out(stream, edges, "weights");
}

void read_bel_runs(InputStream& stream, std::uint64_t vertices, std::uint64_t edges,
                   bool with_weights, RawGraph& raw) {
  {
    const std::uint64_t byte = stream.position();
    const BelIds targets(stream, edges, "targets");
    take_bel_ids(targets, 1, vertices, edges, stream.path(), byte, raw);
  }
  const ValuesInPieces<std::uint32_t, kBelRun> weights(stream, edges, "weights");
  if (!with_weights) return;
  weights.each([&](std::uint64_t first, std::span<const std::uint32_t> values) {
    raw.runs[first / kBelRun].integers().assign(values.begin(), values.end());
  });
}

}  // namespace

// Targets of 32 bits, and weights of 32 bits or none.
void take_galois_lists(const RawFile& file, const ReadContext& context, InputStream& stream,
                       std::uint64_t edge_bytes, std::uint64_t edges, RawGraph& raw) {
  StoredLists stored{.offsets = std::move(raw.adjacency->offsets),
                     .deliver_targets = deliver_next(stream, file, edges, 4, "targets")};
  if (edges % 2 == 1 && edge_bytes > 0)
    read_value<std::uint32_t>(stream, "the padding of its targets");
  if (edge_bytes > 0) {
    if (context.options.ignore_weights)
      const ValuesInPieces<std::uint32_t> left_out(stream, edges, "edge data");
    else
      stored.weights = {ScalarKind::UInt32, ScalarKind::Int64,
                        deliver_next(stream, file, edges, 4, "edge data")};
  }
  raw.adjacency = take_on_device(context, stored, raw.facts.emplace());
}

RawGraph read_galois(StreamPtr stream, const ReadContext& context) {
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
  RawGraph raw = of_counts(vertices, edges);
  raw.rows_present = true;
  Adjacency& adjacency = raw.adjacency.emplace();
  // The file has the end of each row; our offsets have a 0 in front.
  const std::uint64_t offsets_at = stream->position();
  adjacency.offsets = read_array<EdgeIndex>(*stream, vertices, "offsets", 1);
  check_offsets(stream->path(), adjacency.offsets, edges, offsets_at - 8);
  const RawFile* const for_device = file_for_device(*stream, context);
  if (for_device != nullptr && version == 1 && edge_bytes < 8) {
    take_galois_lists(*for_device, context, *stream, edge_bytes, edges, raw);
  } else if (version == 1) {
    raw.facts = read_targets(*stream, edges, "targets", adjacency);
    if (edges % 2 == 1 && edge_bytes > 0)
      read_value<std::uint32_t>(*stream, "the padding of its targets");
  } else {
    adjacency.targets = read_wide_targets(*stream, edges, vertices);
  }
  raw.weighted = edge_bytes > 0;
  if (raw.weighted) {
    if (adjacency.on_device == nullptr)
      adjacency.weights = read_galois_weights(*stream, edge_bytes, edges);
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

// Neighbours, or neighbours and weights in turn.
void take_gap_lists(const RawFile& file, const ReadContext& context, InputStream& stream,
                    std::uint64_t edges, RawGraph& raw) {
  const std::uint64_t bytes = (raw.weighted ? sizeof(GapCell) : sizeof(Vertex)) * edges;
  StoredLists stored{.offsets = std::move(raw.adjacency->offsets),
                     .deliver_targets = deliver_from(file, stream.position(), bytes),
                     .has_cells = raw.weighted};
  if (raw.weighted && !context.options.ignore_weights)
    stored.weights = {ScalarKind::Int32, kind_of_gap_weights(context.options), nullptr};
  raw.adjacency = take_on_device(context, stored, raw.facts.emplace());
  stream.take(bytes);
}

RawGraph read_gap(StreamPtr stream, const ReadContext& context) {
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
  RawGraph raw = of_counts(vertices, edges);
  raw.undirected = raw.both_directions = directed == 0;
  raw.weighted = edges > 0 && size == weighted;
  raw.rows_present = true;
  Adjacency& adjacency = raw.adjacency.emplace();
  adjacency.offsets = read_array<EdgeIndex>(*stream, vertices + 1, "offsets");
  check_offsets(stream->path(), adjacency.offsets, edges, 17);
  if (const RawFile* const file = file_for_device(*stream, context)) {
    take_gap_lists(*file, context, *stream, edges, raw);
    return raw;
  }
  if (!raw.weighted) {
    raw.facts = read_targets(*stream, edges, "neighbours", adjacency);
    return raw;  // a directed file repeats everything for the transpose, which is rebuilt
  }
  const std::uint64_t targets_at = stream->position();
  if (context.options.ignore_weights)
    adjacency.targets = read_gap_targets(*stream, edges);
  else if (kind_of_gap_weights(context.options) == ScalarKind::Int64)
    read_gap_cells<std::int64_t>(*stream, edges, adjacency);
  else
    read_gap_cells<std::int32_t>(*stream, edges, adjacency);
  raw.facts = check_lists(stream->path(), adjacency, targets_at, 8);
  return raw;
}

RawGraph read_bel(StreamPtr stream, const ReadContext& context) {
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
  RawGraph raw = of_counts(vertices, edges);
  raw.weighted = true;
  const bool with_weights = !context.options.ignore_weights;
  std::optional<Array<EdgeIndex>> offsets;
  {
    const std::uint64_t byte = stream->position();
    const BelIds sources(*stream, edges, "sources");
    if (!context.record_lines) offsets = offsets_of_ascending(sources, vertices, edges);
    if (!offsets) take_bel_ids(sources, 0, vertices, edges, stream->path(), byte, raw);
  }
  const RawFile* const for_device = file_for_device(*stream, context);
  if (offsets && for_device != nullptr)
    take_bel_lists(*for_device, context, *stream, std::move(*offsets), edges, with_weights, raw);
  else if (offsets)
    read_bel_lists(*stream, std::move(*offsets), edges, with_weights, raw);
  else
    read_bel_runs(*stream, vertices, edges, with_weights, raw);
  require_end(*stream);
  return raw;
}

}  // namespace vertigo::graph
