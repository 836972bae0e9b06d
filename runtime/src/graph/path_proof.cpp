#include "path_proof.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vertigo::graph {
namespace {

constexpr const char* kOutOfRange = "names a vertex that is out of range";

bool all_below(const std::vector<Vertex>& values, Vertex end) {
  std::size_t bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
  for (std::size_t i = 0; i < values.size(); ++i) bad += values[i] >= end ? 1 : 0;
  return bad == 0;
}

/// Chunks follow each other without gaps, each of so many rows as a mark has bits.
bool are_chunks(const std::vector<std::uint64_t>& begins, std::uint64_t slots) {
  if (begins.empty()) return slots == 0;
  if (begins.front() != 0 || begins.back() != slots) return false;
  for (std::size_t i = 1; i < begins.size(); ++i) {
    if (begins[i] <= begins[i - 1]) return false;
    const std::uint64_t chunk = begins[i] - begins[i - 1];
    if (chunk % kPathLanes != 0 || chunk / kPathLanes > kPathRows) return false;
  }
  return true;
}

/// Calls visit(row, slot) for the rows of a column but its first.
template <class Visit>
void for_each_row(const PathSketch& paths, std::uint32_t chunk, unsigned lane, const Visit& visit) {
  for (unsigned row = 1; row < paths.rows(chunk); ++row)
    visit(row, paths.begins[chunk] + std::uint64_t{row} * kPathLanes + lane);
}

class EdgeProof {
 public:
  EdgeProof(const Adjacency& lists, const PathSketch& paths)
      : lists_(lists), paths_(paths), seen_(lists.targets.size(), 0) {}

  std::string run() {
    for (std::uint32_t chunk = 0; chunk < paths_.chunks(); ++chunk)
      for (unsigned lane = 0; lane < kPathLanes; ++lane)
        if (std::string problem = problem_of(chunk, lane); !problem.empty()) return problem;
    const std::uint64_t stated = paths_.hub.edges + paths_.cold.edges;
    if (found_ != stated) return "has another number of edges than it says";
    return paths_.of == PathEdges::Pairs ? problem_of_pairs() : problem_of_arcs();
  }

 private:
  std::string problem_of(std::uint32_t chunk, unsigned lane) {
    const std::uint32_t breaks = paths_.breaks[std::size_t{chunk} * kPathLanes + lane];
    std::string problem;
    for_each_row(paths_, chunk, lane, [&](unsigned row, std::uint64_t slot) {
      const EdgeIndex edge = paths_.edges[slot];
      if (((breaks >> row & 1) != 0) != (edge == kNoEdge))
        problem = "has a path that begins where an edge leads on";
      else if (edge != kNoEdge && !take(edge, paths_.vertices[slot - kPathLanes], slot))
        problem = "has a path along what is no edge, or along an edge of another path";
    });
    return problem;
  }

  bool take(EdgeIndex edge, Vertex from, std::uint64_t slot) {
    ++found_;
    const bool is_edge = edge >= lists_.offsets[from] && edge < lists_.offsets[from + 1] &&
                         lists_.targets[edge] == paths_.vertices[slot];
    return is_edge && seen_[edge]++ == 0;
  }

  std::string problem_of_arcs() const {
    return std::ranges::all_of(seen_, [](std::uint8_t times) { return times == 1; })
               ? ""
               : "leaves out an edge";
  }

  /// Of the edges from v to u: how many are on paths, of how many.
  struct Counts {
    EdgeIndex seen = 0;
    EdgeIndex all = 0;
  };
  Counts between(Vertex v, Vertex u) const {
    const auto list = lists_.neighbours(v);
    const auto [first, last] = std::ranges::equal_range(list, u);
    Counts counts;
    for (auto at = first; at != last; ++at) {
      ++counts.all;
      counts.seen += seen_[lists_.offsets[v] + static_cast<EdgeIndex>(at - list.begin())];
    }
    return counts;
  }

  // Of an edge and its reverse one is on a path; a loop is its own reverse.
  std::string problem_of_pairs() const {
    const auto vertices = static_cast<Vertex>(lists_.offsets.size() - 1);
    for (Vertex v = 0; v < vertices; ++v) {
      const auto list = lists_.neighbours(v);
      // Each neighbour once: of many parallel edges all are counted at a time.
      for (auto at = list.begin(); at != list.end(); at = std::upper_bound(at, list.end(), *at)) {
        const Vertex u = *at;
        if (u < v) continue;
        const Counts there = between(v, u);
        const EdgeIndex back = u == v ? 0 : between(u, v).seen;
        if (there.seen + back != there.all) return "does not have every edge, or its reverse, once";
      }
    }
    return "";
  }

  const Adjacency& lists_;
  const PathSketch& paths_;
  std::vector<std::uint8_t> seen_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::string shape_problem(const PathSketch& paths, Vertex vertices, EdgeIndex edge_count,
                          bool edges) {
  if (!all_below(paths.vertices, vertices) || !all_below(paths.hubs, vertices)) return kOutOfRange;
  if (!are_chunks(paths.begins, paths.vertices.size())) return "is not cut into chunks";
  if (paths.chunks() < paths.hub_chunks ||
      paths.breaks.size() != std::size_t{paths.chunks()} * kPathLanes)
    return "has another number of chunks than it says";
  // Who walks back would go on above the first row of the column, where there is no slot.
  if (!std::ranges::all_of(paths.breaks, [](std::uint32_t breaks) { return (breaks & 1) != 0; }))
    return "has a path without a first vertex";
  if (!edges) return "";
  if (paths.edges.size() != paths.vertices.size()) return "does not say which edges lead on";
  std::size_t bad = 0;
#pragma omp parallel for schedule(static) reduction(+ : bad)
  for (std::size_t i = 0; i < paths.edges.size(); ++i)
    bad += paths.edges[i] != kNoEdge && paths.edges[i] >= edge_count ? 1 : 0;
  return bad == 0 ? "" : "names an edge that is out of range";
}

std::string shape_problem(const ColourClasses& classes, Vertex vertices, EdgeIndex ends, bool few) {
  if (classes.vertices.size() != vertices || classes.begins.front() != 0 ||
      classes.begins.back() != vertices)
    return "does not have all vertices";
  for (std::size_t c = 1; c < classes.begins.size(); ++c)
    if (classes.begins[c] <= classes.begins[c - 1]) return "has an empty class";
  // Each vertex of the last one has neighbours in all others, and these have no fewer.
  const double most = few ? kMostBeforeRest + 1 : std::sqrt(double(ends)) + 2;
  if (double(classes.count()) > most || (classes.has_rest && !few))
    return "has more classes than there can be";
  std::vector<std::uint8_t> seen(vertices, 0);
  for (const Vertex v : classes.vertices) {
    if (v >= vertices) return kOutOfRange;
    if (seen[v]++ != 0) return "has a vertex in two classes";
  }
  return "";
}

std::string path_problem(const Adjacency& lists, const PathSketch& paths) {
  return EdgeProof(lists, paths).run();
}

}  // namespace vertigo::graph
