#pragma once
// A part of a graph: some of its vertices, with the slice of the adjacency that holds their lists.
// A graph in one piece is one part. Colour classes, the partitions of a graph that is larger than a
// device, and the shards of several devices are parts too; so a phase runs over parts, whatever
// they are.

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// Vertices first .. last-1.
struct VertexRange {
  Vertex first = 0;
  Vertex last = 0;
};

/// The vertices of a part, ascending, each once.
class PartVertices {
 public:
  PartVertices() = default;
  PartVertices(VertexRange range) : vertices_(range) {}
  /// Ascending, each once.
  PartVertices(Array<Vertex> list) : vertices_(std::move(list)) {}

  bool is_range() const { return std::holds_alternative<VertexRange>(vertices_); }
  /// Of a part that is a list.
  const Array<Vertex>& list() const { return std::get<Array<Vertex>>(vertices_); }
  /// The smallest range that holds them all.
  VertexRange span() const;
  std::size_t size() const;
  Vertex operator[](std::size_t i) const {
    const auto* const range = std::get_if<VertexRange>(&vertices_);
    return range != nullptr ? static_cast<Vertex>(range->first + i) : list()[i];
  }

 private:
  std::variant<VertexRange, Array<Vertex>> vertices_;
};

/// The lists of consecutive vertices, cut out of an adjacency without a copy. Offsets are those of
/// the whole adjacency: the list of v is targets[offsets[v - first] - base .. offsets[v - first +
/// 1]
/// - base).
struct AdjacencySlice {
  Vertex first = 0;          ///< the vertex of the first list
  EdgeIndex base = 0;        ///< number in the whole adjacency of the first edge
  Array<EdgeIndex> offsets;  ///< one more than lists
  Array<Vertex> targets;
  Weights weights;

  std::span<const Vertex> neighbours(Vertex v) const {
    return {targets.data() + (offsets[v - first] - base),
            targets.data() + (offsets[v - first + 1] - base)};
  }
};

/// The lists of a range of vertices.
AdjacencySlice slice_of(const Adjacency& adjacency, VertexRange range);

struct Part {
  PartVertices vertices;
  AdjacencySlice out;  ///< holds the lists of all of `vertices`, and of those between them
  /// The in-edges, where the graph has an in-adjacency. Those of a symmetric graph are `out`.
  std::optional<AdjacencySlice> in;
};

/// The graph in one part.
Part whole(const Graph& graph);

/// Parts of consecutive vertices, in order, each with at most `most_edges` edges, in- and out-edges
/// together, or one vertex. Nothing where the graph has no vertex.
std::vector<Part> parts_of_ranges(const Graph& graph, EdgeIndex most_edges);

/// One part for each class that some vertex belongs to, in the order of the classes.
/// `class_of[v]`: the class of v.
std::vector<Part> parts_of_classes(const Graph& graph, std::span<const std::uint32_t> class_of);

/// Where values[0] would lie if `values` were the slice from `base` on of a whole array, so that
/// kernels find the values of a slice by the numbers of the whole. It costs them nothing; nothing
/// before the slice may be read.
template <class T>
const T* as_whole(const T* values, std::uint64_t base) {
  // Numbers wrap where pointers must not leave their array.
  return reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(values) - base * sizeof(T));
}

}  // namespace vertigo::graph
