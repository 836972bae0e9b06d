#include "partitions.h"

#include <algorithm>

namespace vertigo::gpu::hybrid {

namespace {

/// Arrays begin at multiples of this, so that warps read whole lines.
constexpr std::uint64_t kLine = 128;

std::uint64_t lines(std::uint64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

}  // namespace

SlotLayout::SlotLayout(std::uint64_t vertex_count, std::uint64_t edges, unsigned attribute_bytes)
    : vertices(lines((vertex_count + 1) * sizeof(EdgeIndex))),
      begins(vertices + lines(vertex_count * sizeof(Vertex))),
      targets(begins + lines((vertex_count + 1) * sizeof(std::uint32_t))),
      attributes(targets + lines(edges * sizeof(Vertex))),
      bytes(attributes + lines(edges * attribute_bytes)) {}

Partitions::Partitions(const graph::Graph& graph, unsigned attribute_bytes,
                       std::uint64_t most_bytes, Slots slots)
    : graph_(graph), attribute_bytes_(attribute_bytes) {
  begins_.push_back(0);
  const Vertex all = graph.vertex_count;
  for (Vertex first = 0; first < all;) {
    const auto too_much = [&](Vertex last) {
      return bytes(first, last, false) > most_bytes || bytes(first, last, true) > most_bytes;
    };
    // The last end that is not too much; bytes grow with the range.
    Vertex fits = first + 1;
    for (std::uint64_t step = std::uint64_t{1} << 31; step > 0; step /= 2)
      if (fits + step <= all && !too_much(static_cast<Vertex>(fits + step)))
        fits += static_cast<Vertex>(step);
    if (slots == Slots::ForAll || !too_much(fits))
      slot_bytes_ = std::max({slot_bytes_, bytes(first, fits, false), bytes(first, fits, true)});
    begins_.push_back(fits);
    first = fits;
  }
}

const graph::Adjacency& Partitions::adjacency(bool in) const {
  return in && graph_.in_adjacency ? *graph_.in_adjacency : graph_.out;
}

std::uint64_t Partitions::bytes(Vertex first, Vertex last, bool in) const {
  const auto& offsets = adjacency(in).offsets;
  return SlotLayout(last - first, offsets[last] - offsets[first], attribute_bytes_).bytes;
}

Piece Partitions::piece(std::size_t partition, bool in) const {
  const auto& offsets = adjacency(in).offsets;
  const Vertex first = begins_[partition];
  const Vertex last = begins_[partition + 1];
  return {first, last, offsets[first], offsets[last]};
}

bool Partitions::fits_slot(const Piece& piece) const {
  return SlotLayout(piece.vertices(), piece.edges(), attribute_bytes_).bytes <= slot_bytes_;
}

std::uint64_t partition_bytes(std::uint64_t edge_bytes) {
  constexpr std::uint64_t kMost = 32u << 20;
  constexpr std::uint64_t kLeast = 4u << 10;
  constexpr std::uint64_t kParts = 32;
  return std::clamp(edge_bytes / kParts, kLeast, kMost);
}

}  // namespace vertigo::gpu::hybrid
