#pragma once
// The graph cut for transfer: ranges of vertices whose lists travel to the device together
// (HyTGraph, section 3: partitions of 32 MB).

#include <cstdint>
#include <vector>

#include "vertigo/core/degree_buckets.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu::hybrid {

/// The lists of a range of vertices in one direction.
struct Piece {
  Vertex first = 0;
  Vertex last = 0;  ///< one past the end
  EdgeIndex begin = 0;
  EdgeIndex end = 0;

  std::uint64_t edges() const { return end - begin; }
  std::uint64_t vertices() const { return last - first; }
};

/// Where the arrays of some lists lie in a slot of device memory. The first three are for lists
/// that the host has gathered: offsets by vertex, which the device fills in from the vertices and
/// the begins of their lists.
struct SlotLayout {
  SlotLayout(std::uint64_t vertex_count, std::uint64_t edges, unsigned attribute_bytes);

  std::uint64_t vertices = 0;  ///< offsets lie before, from 0 on
  std::uint64_t begins = 0;
  std::uint64_t targets = 0;
  std::uint64_t attributes = 0;
  std::uint64_t bytes = 0;
};

class Partitions {
 public:
  enum class Slots : std::uint8_t {
    ForMost,  ///< a list that is longer than a partition is to be comes in another way
    ForAll,   ///< there is no other way
  };
  /// Consecutive vertices; each partition takes at most `most_bytes` in a slot, in either
  /// direction, or is one vertex.
  Partitions(const graph::Graph& graph, unsigned attribute_bytes, std::uint64_t most_bytes,
             Slots slots);

  std::size_t count() const { return begins_.size() - 1; }
  /// First vertex of each, and one past the last vertex of all.
  const std::vector<Vertex>& begins() const { return begins_; }
  /// `in`: of the in-edges, where these are not the out-edges.
  Piece piece(std::size_t partition, bool in) const;
  /// Of the largest piece that fits; 0 where none does.
  std::uint64_t slot_bytes() const { return slot_bytes_; }
  bool fits_slot(const Piece& piece) const;

 private:
  const graph::Adjacency& adjacency(bool in) const;
  std::uint64_t bytes(Vertex first, Vertex last, bool in) const;

  const graph::Graph& graph_;
  unsigned attribute_bytes_;
  std::uint64_t slot_bytes_ = 0;
  std::vector<Vertex> begins_;
};

/// 32 MB, less where that would make few partitions of the graph: then hardly any could be left
/// out.
std::uint64_t partition_bytes(std::uint64_t edge_bytes);

}  // namespace vertigo::gpu::hybrid
