#pragma once
// A part of a graph: consecutive vertices, with the slice of the adjacency that holds their lists.
// A graph in one piece is one part; what works on a graph piece by piece has several.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vertigo/graph/graph.h"

namespace vertigo::graph {

/// Vertices first .. last-1.
struct VertexRange {
  Vertex first = 0;
  Vertex last = 0;

  std::size_t size() const { return last - first; }
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
  Array<std::byte> records;  ///< whole ones

  std::span<const Vertex> neighbours(Vertex v) const {
    return {targets.data() + (offsets[v - first] - base),
            targets.data() + (offsets[v - first + 1] - base)};
  }
};

/// The lists of a range of vertices.
AdjacencySlice slice_of(const Adjacency& adjacency, VertexRange range);

struct Part {
  VertexRange vertices;
  AdjacencySlice out;
  /// The in-edges, where the graph has an in-adjacency. Those of a symmetric graph are `out`.
  std::optional<AdjacencySlice> in;
};

/// The graph in one part.
Part whole(const Graph& graph);

/// Parts of consecutive vertices, in order, each with at most `most_edges` edges, in- and out-edges
/// together, or one vertex. Nothing where the graph has no vertex.
std::vector<Part> parts_of_ranges(const Graph& graph, EdgeIndex most_edges);

/// Where values[0] would lie if `values` were the slice from `base` on of a whole array, so that
/// kernels find the values of a slice by the numbers of the whole. It costs them nothing; nothing
/// before the slice may be read.
template <class T>
const T* as_whole(const T* values, std::uint64_t base) {
  // Numbers wrap where pointers must not leave their array.
  return reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(values) - base * sizeof(T));
}

}  // namespace vertigo::graph
