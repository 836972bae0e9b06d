#pragma once
// Which edges a loop visits: the out-edges, the in-edges or both, with or without the attribute.
// `out_edges(graph, v)` is a range over one vertex's edges; `out_edges(graph)` names the edges of
// all vertices for the balanced visits of expand.cuh and gather.cuh.

#include "vertigo/device/graph.cuh"

namespace vertigo::gpu {

template <class Attribute>
struct EdgeTo {
  Vertex neighbour;
  Attribute attribute;
};

/// One or two adjacencies that are visited one after the other.
template <class AttributeType, bool kAttributes>
struct EdgeSet {
  using Attribute = AttributeType;
  using Lists = Adjacency<Attribute>;

  Adjacency<Attribute> first;
  Adjacency<Attribute> second;
  unsigned passes = 1;

  /// edge(v, u, extra...) or, where the attribute is read, edge(v, u, attribute, extra...).
  template <class Kept, class Edge, class... Extra>
  __device__ __forceinline__ static decltype(auto) visit(const Adjacency<Attribute>& adjacency,
                                                         Vertex v, EdgeIndex e, const Kept& kept,
                                                         const Edge& edge, Extra&... extra) {
    return apply(EdgeSet::edge(adjacency, e), v, kept, edge, extra...);
  }
  /// The same of an edge whose end has been read.
  template <class End, class Kept, class Edge, class... Extra>
  __device__ __forceinline__ static decltype(auto) apply(const End& end, Vertex v, const Kept& kept,
                                                         const Edge& edge, Extra&... extra) {
    if constexpr (kAttributes)
      return kept.apply(edge, v, end.neighbour, end.attribute, extra...);
    else
      return kept.apply(edge, v, end, extra...);
  }
  __device__ __forceinline__ static auto edge(const Lists& lists, EdgeIndex e) {
    if constexpr (kAttributes)
      return EdgeTo<Attribute>{lists.targets[e], detail::attribute(lists, e)};
    else
      return lists.targets[e];
  }
};

/// Given beside the graph: what stands behind an edge's end is its place among all out-edges.
struct Places {};

template <class Attribute>
struct PlacedEdge {
  Vertex neighbour;
  Attribute attribute;
  EdgeIndex place;
};
struct PlacedNeighbour {
  Vertex neighbour;
  EdgeIndex place;
};

/// As EdgeSet: edge(v, u[, attribute], place, extra...).
template <class AttributeType, bool kAttributes>
struct PlacedSet {
  using Attribute = AttributeType;
  using Lists = Adjacency<Attribute>;

  Adjacency<Attribute> first;
  Adjacency<Attribute> second;
  unsigned passes = 1;

  template <class Kept, class Edge, class... Extra>
  __device__ __forceinline__ static decltype(auto) visit(const Adjacency<Attribute>& adjacency,
                                                         Vertex v, EdgeIndex e, const Kept& kept,
                                                         const Edge& edge, Extra&... extra) {
    return apply(PlacedSet::edge(adjacency, e), v, kept, edge, extra...);
  }
  template <class End, class Kept, class Edge, class... Extra>
  __device__ __forceinline__ static decltype(auto) apply(const End& end, Vertex v, const Kept& kept,
                                                         const Edge& edge, Extra&... extra) {
    if constexpr (kAttributes)
      return kept.apply(edge, v, end.neighbour, end.attribute, end.place, extra...);
    else
      return kept.apply(edge, v, end.neighbour, end.place, extra...);
  }
  __device__ __forceinline__ static auto edge(const Lists& lists, EdgeIndex e) {
    if constexpr (kAttributes)
      return PlacedEdge<Attribute>{lists.targets[e], detail::attribute(lists, e), e};
    else
      return PlacedNeighbour{lists.targets[e], e};
  }
};

namespace detail {

/// The edges of one vertex in one adjacency, then in another where `two_passes` says so. It holds
/// copies: a pointer to a kernel's parameter would push the parameters into local memory.
template <class Set>
struct EdgeRange {
  using Lists = typename Set::Lists;

  Lists first;
  Lists second;
  bool two_passes;
  Vertex vertex;

  struct Iterator {
    Lists current;
    Lists second;
    bool second_left;
    Vertex vertex;
    EdgeIndex at;
    EdgeIndex stop;

    __device__ __forceinline__ void settle() {
      if (!second_left || at != stop) return;
      second_left = false;
      current = second;
      at = current.offsets[vertex];
      stop = current.offsets[vertex + 1];
    }
    __device__ __forceinline__ auto operator*() const { return Set::edge(current, at); }
    __device__ __forceinline__ void operator++() {
      ++at;
      settle();
    }
    __device__ __forceinline__ bool operator!=(std::nullptr_t) const { return at != stop; }
  };

  __device__ __forceinline__ Iterator begin() const {
    Iterator begin{
        first, second, two_passes, vertex, first.offsets[vertex], first.offsets[vertex + 1]};
    begin.settle();
    return begin;
  }
  __device__ __forceinline__ std::nullptr_t end() const { return nullptr; }
};

}  // namespace detail

#define VERTIGO_EDGES(name, attributes, one, two, passes)                                         \
  template <class Attribute>                                                                      \
  __device__ __forceinline__ EdgeSet<Attribute, attributes> name(const Graph<Attribute>& graph) { \
    return {one, two, passes};                                                                    \
  }                                                                                               \
  template <class Attribute>                                                                      \
  __device__ __forceinline__ detail::EdgeRange<EdgeSet<Attribute, attributes>> name(              \
      const Graph<Attribute>& graph, Vertex v) {                                                  \
    return {one, two, (passes) == 2, v};                                                          \
  }

VERTIGO_EDGES(out_edges, true, graph.out, graph.out, 1u)
VERTIGO_EDGES(in_edges, true, graph.in, graph.in, 1u)
VERTIGO_EDGES(both_edges, true, graph.out, graph.in, 2u)
VERTIGO_EDGES(both_edges_once, true, graph.out, graph.in, graph.symmetric ? 1u : 2u)
VERTIGO_EDGES(out_neighbours, false, graph.out, graph.out, 1u)
VERTIGO_EDGES(in_neighbours, false, graph.in, graph.in, 1u)
VERTIGO_EDGES(both_neighbours, false, graph.out, graph.in, 2u)
VERTIGO_EDGES(both_neighbours_once, false, graph.out, graph.in, graph.symmetric ? 1u : 2u)

#undef VERTIGO_EDGES

#define VERTIGO_PLACED_EDGES(name, attributes)                                                    \
  template <class Attribute>                                                                      \
  __device__ __forceinline__ PlacedSet<Attribute, attributes> name(const Graph<Attribute>& graph, \
                                                                   Places) {                      \
    return {graph.out, graph.out, 1u};                                                            \
  }                                                                                               \
  template <class Attribute>                                                                      \
  __device__ __forceinline__ detail::EdgeRange<PlacedSet<Attribute, attributes>> name(            \
      const Graph<Attribute>& graph, Vertex v, Places) {                                          \
    return {graph.out, graph.out, false, v};                                                      \
  }

VERTIGO_PLACED_EDGES(out_edges, true)
VERTIGO_PLACED_EDGES(out_neighbours, false)

#undef VERTIGO_PLACED_EDGES

}  // namespace vertigo::gpu
