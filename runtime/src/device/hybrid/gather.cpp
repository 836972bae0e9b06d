#include "gather.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace vertigo::gpu::hybrid {

namespace {

/// Vertices that a core takes at a time; a multiple of the bits of a word.
constexpr Vertex kStretch = 4096;

std::int64_t stretches(const Piece& piece) {
  return piece.first == piece.last ? 0 : (piece.last - 1) / kStretch - piece.first / kStretch + 1;
}

/// visit(v) for the vertices of stretch number `i` of the piece whose bits are set.
template <class Visit>
void for_active(const Piece& piece, std::int64_t i, const std::uint32_t* bits, const Visit& visit) {
  const Vertex begin = (piece.first / kStretch + static_cast<Vertex>(i)) * kStretch;
  for (Vertex word = begin / 32; word < (begin + kStretch) / 32 && word * 32 < piece.last; ++word)
    for (std::uint32_t left = bits[word]; left != 0; left &= left - 1) {
      const Vertex v = word * 32 + static_cast<Vertex>(std::countr_zero(left));
      if (v >= piece.first && v < piece.last) visit(v);
    }
}

}  // namespace

Gathered Gatherer::count(const HostLists& lists, const Piece& piece, const std::uint32_t* bits) {
  const std::int64_t n = stretches(piece);
  before_.assign(static_cast<std::size_t>(n) + 1, {});
#pragma omp parallel for schedule(dynamic, 4)
  for (std::int64_t i = 0; i < n; ++i) {
    Gathered mine;
    for_active(piece, i, bits, [&](Vertex v) {
      ++mine.vertices;
      mine.edges += lists.offsets[v + 1] - lists.offsets[v];
    });
    before_[static_cast<std::size_t>(i)] = mine;
  }
  Gathered sum;
  for (Gathered& each : before_) {
    const Gathered mine = each;
    each = sum;
    sum.vertices += mine.vertices;
    sum.edges += mine.edges;
  }
  return sum;
}

void Gatherer::gather(const HostLists& lists, const Piece& piece, const std::uint32_t* bits,
                      const GatheredLists& to) const {
#pragma omp parallel for schedule(dynamic, 4)
  for (std::int64_t i = 0; i < stretches(piece); ++i) {
    Gathered at = before_[static_cast<std::size_t>(i)];
    for_active(piece, i, bits, [&](Vertex v) {
      const EdgeIndex begin = lists.offsets[v];
      const std::uint64_t length = lists.offsets[v + 1] - begin;
      to.vertices[at.vertices] = v;
      to.begins[at.vertices++] = static_cast<std::uint32_t>(at.edges);
      std::copy_n(lists.targets + begin, length, to.targets + at.edges);
      if (lists.attributes != nullptr)
        std::memcpy(to.attributes + at.edges * lists.attribute_bytes,
                    lists.attributes + begin * lists.attribute_bytes,
                    length * lists.attribute_bytes);
      at.edges += length;
    });
  }
  const Gathered& all = before_.back();
  to.begins[all.vertices] = static_cast<std::uint32_t>(all.edges);
}

}  // namespace vertigo::gpu::hybrid
