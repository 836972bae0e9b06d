#pragma once
// What must hold of every sketch, found without the code that makes one.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "vertigo/graph/path_sketch.h"

namespace vertigo::graph::test {

/// What does not hold, in words; the sketch was made with `keep_edges`.
inline std::vector<std::string> faults_of(const Graph& graph, const Adjacency& lists,
                                          PathEdges edges, const PathSketch& sketch) {
  std::vector<std::string> faults;
  const auto fault = [&](const std::string& what) {
    if (std::ranges::find(faults, what) == faults.end()) faults.push_back(what);
  };
  using Ends = std::pair<Vertex, Vertex>;
  const bool pairs = edges == PathEdges::Pairs;
  std::vector<Vertex> sources;
  std::map<Ends, std::uint64_t> expected, found;
  for (Vertex v = 0; v < graph.vertex_count; ++v)
    for (const Vertex u : lists.neighbours(v)) {
      sources.push_back(v);
      if (!pairs || v <= u) ++expected[{v, u}];
    }
  std::vector<unsigned> seen(lists.targets.size(), 0);
  std::uint64_t on_paths = 0;
  for (std::uint32_t chunk = 0; chunk < sketch.chunks(); ++chunk) {
    if (sketch.rows(chunk) > kPathRows) fault("a chunk has more rows than its marks have bits");
    if (sketch.rows(chunk) == 0) fault("a chunk is empty");
    for (unsigned lane = 0; lane < kPathLanes; ++lane) {
      const std::uint32_t breaks = sketch.breaks[std::size_t{chunk} * kPathLanes + lane];
      if ((breaks & 1) == 0) fault("a column begins in the middle of a path");
      for (unsigned row = 1; row < sketch.rows(chunk); ++row) {
        const std::uint64_t slot = sketch.begins[chunk] + std::uint64_t{row} * kPathLanes + lane;
        const EdgeIndex edge = sketch.edges[slot];
        if (((breaks >> row & 1) != 0) != (edge == kNoEdge)) fault("a mark belies the edges");
        if (edge == kNoEdge) continue;
        ++on_paths;
        ++seen[edge];
        Vertex from = sketch.vertices[slot - kPathLanes], to = sketch.vertices[slot];
        if (from != sources[edge] || to != lists.targets[edge])
          fault("an edge does not chain its vertices");
        if (pairs && from > to) std::swap(from, to);
        ++found[{from, to}];
      }
    }
  }
  if (std::ranges::any_of(seen, [](unsigned times) { return times > 1; }))
    fault("an edge stands on more than one path");
  if (found != expected) fault("the edges on paths are not those of the graph");
  if (on_paths != sketch.hub.edges + sketch.cold.edges) fault("the totals are not what is there");
  return faults;
}

/// The columns' paths as they are walked: how many edges the longest stretch has.
inline unsigned longest_stretch(const PathSketch& sketch) {
  unsigned longest = 0;
  for (std::uint32_t chunk = 0; chunk < sketch.chunks(); ++chunk)
    for (unsigned lane = 0; lane < kPathLanes; ++lane) {
      unsigned length = 0;
      for (unsigned row = 0; row < sketch.rows(chunk); ++row) {
        const bool breaks = (sketch.breaks[std::size_t{chunk} * kPathLanes + lane] >> row & 1) != 0;
        length = breaks ? 0 : length + 1;
        longest = std::max(longest, length);
      }
    }
  return longest;
}

}  // namespace vertigo::graph::test
