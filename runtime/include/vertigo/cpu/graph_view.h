#pragma once
// A part of the graph, all of it as a rule, as generated kernels see it: pointers, and ranges over
// the edges of a vertex.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>

#include "vertigo/core/random.h"
#include "vertigo/core/scalar.h"
#include "vertigo/graph/part.h"

namespace vertigo::cpu {

/// Of a program without an edge attribute.
struct NoWeight {};

/// A neighbour and the attribute of the edge to it.
template <class W>
struct Edge {
  Vertex neighbour;
  W weight;
};

template <class W>
struct AdjacencyView {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const W* weights = nullptr;  ///< null: every edge has GraphView::default_weight
};

template <class W>
struct GraphView {
  Vertex vertex_count = 0;
  EdgeIndex edge_count = 0;
  bool symmetric = false;
  AdjacencyView<W> out;
  AdjacencyView<W> in;
  W default_weight{};
  const graph::Graph* whole = nullptr;  ///< what this is a part of
};

namespace detail {

template <class W>
inline AdjacencyView<W> view(const graph::AdjacencySlice& slice) {
  AdjacencyView<W> result{graph::as_whole(slice.offsets.data(), slice.first),
                          graph::as_whole(slice.targets.data(), slice.base), nullptr};
  if constexpr (std::is_arithmetic_v<W>) {
    if (const auto* weights = std::get_if<graph::Array<W>>(&slice.weights))
      result.weights = graph::as_whole(weights->data(), slice.base);
  } else if constexpr (!std::is_same_v<W, NoWeight>) {
    // A struct of attributes that are read by name; the host has laid its records out.
    if (!slice.records.empty())
      result.weights =
          graph::as_whole(reinterpret_cast<const W*>(slice.records.data()), slice.base);
  }
  return result;
}

}  // namespace detail

/// A part, whose lists are found by the vertices of the whole graph. The host has converted the
/// weights to W, or left the graph without.
template <class W>
inline GraphView<W> view(const graph::Graph& graph, const graph::Part& part,
                         W default_weight = {}) {
  GraphView<W> result;
  result.vertex_count = graph.vertex_count;
  result.edge_count = graph.edge_count;
  result.symmetric = graph.symmetric;
  result.out = detail::view<W>(part.out);
  if (graph.symmetric) result.in = result.out;
  if (part.in && !graph.symmetric) result.in = detail::view<W>(*part.in);
  result.default_weight = default_weight;
  result.whole = &graph;
  return result;
}
/// The whole graph, which is resident in the memory of the CPU.
template <class W>
inline GraphView<W> view(const graph::Graph& graph, W default_weight = {}) {
  return view<W>(graph, graph::whole(graph), default_weight);
}

template <class View>
inline EdgeIndex out_degree(const View& graph, Vertex v) {
  return graph.out.offsets[v + 1] - graph.out.offsets[v];
}
template <class View>
inline EdgeIndex in_degree(const View& graph, Vertex v) {
  return graph.in.offsets[v + 1] - graph.in.offsets[v];
}

/// A run of edges in one adjacency.
template <class W>
class EdgeRange {
 public:
  class Iterator {
   public:
    Iterator(const AdjacencyView<W>& adjacency, W default_weight, EdgeIndex at)
        : adjacency_(adjacency), default_weight_(default_weight), at_(at) {}
    Edge<W> operator*() const {
      return {adjacency_.targets[at_],
              adjacency_.weights != nullptr ? adjacency_.weights[at_] : default_weight_};
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    AdjacencyView<W> adjacency_;
    W default_weight_;
    EdgeIndex at_;
  };

  EdgeRange(const AdjacencyView<W>& adjacency, W default_weight, Vertex v)
      : adjacency_(adjacency),
        default_weight_(default_weight),
        begin_(adjacency.offsets[v]),
        end_(adjacency.offsets[v + 1]) {}
  Iterator begin() const { return {adjacency_, default_weight_, begin_}; }
  Iterator end() const { return {adjacency_, default_weight_, end_}; }
  /// The empty range at the end of this one.
  EdgeRange none() const {
    EdgeRange range = *this;
    range.begin_ = end_;
    return range;
  }

 private:
  AdjacencyView<W> adjacency_;
  W default_weight_;
  EdgeIndex begin_;
  EdgeIndex end_;
};

/// Neighbours alone.
struct NeighbourRange {
  const Vertex* first;
  const Vertex* last;
  const Vertex* begin() const { return first; }
  const Vertex* end() const { return last; }
};

template <class W>
inline EdgeRange<W> out_edges(const GraphView<W>& graph, Vertex v) {
  return {graph.out, graph.default_weight, v};
}
template <class W>
inline EdgeRange<W> in_edges(const GraphView<W>& graph, Vertex v) {
  return {graph.in, graph.default_weight, v};
}
template <class W>
inline NeighbourRange out_neighbours(const GraphView<W>& graph, Vertex v) {
  return {graph.out.targets + graph.out.offsets[v], graph.out.targets + graph.out.offsets[v + 1]};
}
template <class W>
inline NeighbourRange in_neighbours(const GraphView<W>& graph, Vertex v) {
  return {graph.in.targets + graph.in.offsets[v], graph.in.targets + graph.in.offsets[v + 1]};
}

/// Given beside the graph: what stands behind an edge's end is its place among all out-edges.
struct Places {};

template <class W>
struct PlacedEdge {
  Vertex neighbour;
  W weight;
  EdgeIndex place;
};
struct PlacedNeighbour {
  Vertex neighbour;
  EdgeIndex place;
};

/// The out-edges of a vertex with their places.
template <class W, bool weights>
class PlacedRange {
 public:
  struct Iterator {
    AdjacencyView<W> lists;
    W default_weight;
    EdgeIndex at;
    auto operator*() const {
      if constexpr (weights)
        return PlacedEdge<W>{lists.targets[at],
                             lists.weights != nullptr ? lists.weights[at] : default_weight, at};
      else
        return PlacedNeighbour{lists.targets[at], at};
    }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };

  PlacedRange(const GraphView<W>& graph, Vertex v)
      : begin_{graph.out, graph.default_weight, graph.out.offsets[v]},
        end_{graph.out, graph.default_weight, graph.out.offsets[v + 1]} {}
  Iterator begin() const { return begin_; }
  Iterator end() const { return end_; }

 private:
  Iterator begin_;
  Iterator end_;
};

template <class W>
inline PlacedRange<W, true> out_edges(const GraphView<W>& graph, Vertex v, Places) {
  return {graph, v};
}
template <class W>
inline PlacedRange<W, false> out_neighbours(const GraphView<W>& graph, Vertex v, Places) {
  return {graph, v};
}

/// Where the edge stands among all out-edges: lists ascend, and the edge is there once.
template <class View>
inline EdgeIndex edge_place(const View& graph, Vertex from, Vertex to) {
  const Vertex* const begin = graph.out.targets + graph.out.offsets[from];
  const Vertex* const end = graph.out.targets + graph.out.offsets[from + 1];
  return static_cast<EdgeIndex>(std::lower_bound(begin, end, to) - graph.out.targets);
}

/// First one range, then another.
template <class Range>
class BothRanges {
 public:
  using Part = decltype(std::declval<const Range&>().begin());
  class Iterator {
   public:
    Iterator(Part at, Part first_end, Part second)
        : at_(at), first_end_(first_end), second_(second) {
      hop();
    }
    auto operator*() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      hop();
      return *this;
    }
    bool operator!=(const Iterator& other) const { return in_first_ || at_ != other.at_; }

   private:
    void hop() {
      if (in_first_ && !(at_ != first_end_)) {
        at_ = second_;
        in_first_ = false;
      }
    }
    Part at_;
    Part first_end_;
    Part second_;
    bool in_first_ = true;
  };
  BothRanges(const Range& first, const Range& second) : first_(first), second_(second) {}
  Iterator begin() const { return {first_.begin(), first_.end(), second_.begin()}; }
  Iterator end() const {
    Iterator last(first_.end(), first_.end(), second_.end());
    return last;
  }

 private:
  Range first_;
  Range second_;
};

template <class W>
inline BothRanges<EdgeRange<W>> both_edges(const GraphView<W>& graph, Vertex v) {
  return {out_edges(graph, v), in_edges(graph, v)};
}
template <class W>
inline BothRanges<NeighbourRange> both_neighbours(const GraphView<W>& graph, Vertex v) {
  return {out_neighbours(graph, v), in_neighbours(graph, v)};
}
/// One pass where the graph is symmetric, for bodies that change nothing the second time.
template <class W>
inline BothRanges<EdgeRange<W>> both_edges_once(const GraphView<W>& graph, Vertex v) {
  if (!graph.symmetric) return both_edges(graph, v);
  const EdgeRange<W> out = out_edges(graph, v);
  return {out, out.none()};
}
template <class W>
inline BothRanges<NeighbourRange> both_neighbours_once(const GraphView<W>& graph, Vertex v) {
  const NeighbourRange out = out_neighbours(graph, v);
  return {out, graph.symmetric ? NeighbourRange{out.last, out.last} : in_neighbours(graph, v)};
}

/// `random(v, step)` of the language.
template <class W>
inline double random_unit(const GraphView<W>& graph, Vertex v, std::int64_t step) {
  return vertigo::random_unit(0, graph.whole->ids.to_input(v), static_cast<std::uint64_t>(step));
}

}  // namespace vertigo::cpu
