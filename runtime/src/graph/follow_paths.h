#pragma once
// Algorithm 1 of AsynGraph (TACO 2020): a part of the graph as paths. Private to the module.

#include <cstdint>
#include <vector>

#include "vertigo/graph/path_sketch.h"

namespace vertigo::graph {

/// Paths one after the other: the vertices of path i end at ends[i], and begin where the path
/// before it ends. The edge between two of its vertices stands at the place of the second one.
struct PathList {
  std::vector<Vertex> vertices;
  std::vector<EdgeIndex> edges;
  std::vector<std::uint64_t> ends;
};

struct PartPaths {
  PathList hub;
  PathList cold;
};

/// Who owns which edges: a part is a range of vertices.
struct PathPart {
  Vertex first;
  Vertex last;  ///< behind the last one
};

/// All edges of the part on paths. An arc belongs to the vertex in whose list it is, a pair of two
/// parts to one of its ends.
PartPaths follow_paths(const Adjacency& lists, PathEdges edges, const PathPart& part,
                       const std::vector<std::uint8_t>& is_hub);

}  // namespace vertigo::graph
