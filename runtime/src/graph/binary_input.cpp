#include "binary_input.h"

#include "vertigo/core/memory.h"
#include "vertigo/core/number_text.h"

namespace vertigo::graph {

void require_bytes(const InputStream& stream, std::uint64_t count, std::uint64_t bytes,
                   const char* what) {
  const auto size = stream.known_size();
  if (!size) return;
  const std::uint64_t left = *size - std::min(*size, stream.position());
  if (count > left / bytes) throw ends_within(stream, count, what);
  require_memory(count * bytes, what);
}

Error ends_within(const InputStream& stream, std::uint64_t count, const char* what) {
  return refused_at_byte(
      stream.path(), stream.position(),
      fmt::format("the file ends within {}, of which the header declares {}", what, count));
}

void require_end(InputStream& stream) {
  char extra = 0;
  const std::uint64_t at = stream.position();
  if (stream.read(&extra, 1) != 0) {
    throw refused_at_byte(stream.path(), at, "the file goes on behind what its header declares");
  }
}

void check_offsets(const std::string& path, std::span<const EdgeIndex> offsets,
                   std::uint64_t edge_count, std::uint64_t byte) {
  std::uint64_t bad = kInfinity<std::uint64_t>;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const EdgeIndex previous = i == 0 ? 0 : offsets[i - 1];
    if (offsets[i] < previous || offsets[i] > edge_count || (i == 0 && offsets[i] != 0)) {
      bad = std::min<std::uint64_t>(bad, i);
    }
  }
  if (bad == kInfinity<std::uint64_t> && offsets.back() == edge_count) return;
  bad = std::min<std::uint64_t>(bad, offsets.size() - 1);
  throw refused_at_byte(
      path, byte + 8 * bad,
      fmt::format("offset {} is {}: offsets must ascend from 0 to the number of edges, {}", bad,
                  offsets[bad], edge_count));
}

void check_targets(const std::string& path, std::span<const Vertex> targets,
                   std::uint64_t vertex_count, std::uint64_t byte, std::uint64_t stride) {
  Vertex largest = 0;
#pragma omp parallel for simd schedule(static) reduction(max : largest)
  for (std::size_t i = 0; i < targets.size(); ++i) largest = std::max(largest, targets[i]);
  if (targets.empty() || largest < vertex_count) return;
  std::uint64_t bad = kInfinity<std::uint64_t>;
#pragma omp parallel for schedule(static) reduction(min : bad)
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] >= vertex_count) bad = std::min<std::uint64_t>(bad, i);
  }
  throw refused_at_byte(
      path, byte + stride * bad,
      fmt::format("edge {} leads to vertex {}, out of range: the graph has {}", bad, targets[bad],
                  counted(vertex_count, "vertex", "vertices")));
}

RowFacts check_lists(const std::string& path, const Adjacency& adjacency, std::uint64_t byte,
                     std::uint64_t stride) {
  const auto vertices = static_cast<Vertex>(adjacency.offsets.size() - 1);
  return check_lists(path, adjacency, row_facts(vertices, adjacency), byte, stride);
}

RowFacts check_lists(const std::string& path, const Adjacency& adjacency, const RowFacts& facts,
                     std::uint64_t byte, std::uint64_t stride) {
  const std::size_t vertices = adjacency.offsets.size() - 1;
  // The last of each list tells where they ascend; else all are looked at.
  if (!facts.ascending || facts.largest >= vertices)
    check_targets(path, adjacency.targets, vertices, byte, stride);
  return facts;
}

RowFacts read_targets(InputStream& stream, std::uint64_t edges, const char* what,
                      Adjacency& adjacency) {
  const std::uint64_t byte = stream.position();
  FactsOfPieces facts(adjacency.offsets);
  adjacency.targets = read_array<Vertex>(
      stream, edges, what, 0,
      [&](std::uint64_t first, std::span<const Vertex> targets) { facts.look(first, targets); });
  return check_lists(stream.path(), adjacency, facts.finished(), byte, sizeof(Vertex));
}

}  // namespace vertigo::graph
