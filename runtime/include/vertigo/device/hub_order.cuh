#pragma once
// Values that neighbours read, in the order of degrees:
//
//   rank_for_neighbours[hub_order.place(v)] = …;
//   gather_rows(in_neighbours(graph, hub_order), …, [&](Vertex, Vertex u, double& sum) {
//     sum += rank_for_neighbours[u]; … });
//
// Most edges of a graph with hubs read values of few vertices. By vertex, each of these values
// shares its line of the cache with those of vertices that are rarely asked for; by degree, they
// lie side by side and stay in the first-level cache. `u` is a place there and no vertex.
//
// Where the graph has no hubs, or the run may not prepare, places are vertices.

#include "vertigo/device/edges.cuh"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/session.cuh"

namespace vertigo::gpu {

struct HubOrder {
  Along along = Along::Out;     ///< lists that are followed
  Vertex* places = nullptr;     ///< of each vertex; null: each is its own
  Vertex* out_lists = nullptr;  ///< out-neighbours by their places; null: as the graph has them
  Vertex* in_lists = nullptr;

  void declare(Session& session, const char* name) {
    if (!session.may_order_hubs(along)) return;
    // One pass over the edges is both ways then.
    const bool symmetric = session.message_passes(Along::Both, true) == 1;
    session.declare(places, name);
    if (along != Along::In || symmetric)
      session.declare(out_lists, session.edge_count(), "out-neighbours by degree");
    if (along != Along::Out && !symmetric)
      session.declare(in_lists, session.edge_count(), "in-neighbours by degree");
    session.reserve("vertices by degree", prepare::hub_memory(session.vertex_count()));
  }
  template <class Attribute>
  void prepare(Session& session, const Graph<Attribute>& graph) {
    if (places == nullptr) return;
    const prepare::Neighbours out{graph.out.offsets, graph.out.targets, graph.vertex_count,
                                  graph.edge_count};
    const prepare::Neighbours in{graph.in.offsets, graph.in.targets, graph.vertex_count,
                                 graph.edge_count};
    // Of an in-neighbour, as many read as it has out-edges.
    const prepare::Degrees degrees{
        along == Along::Out && !graph.symmetric ? graph.in.offsets : graph.out.offsets,
        along == Along::Both && !graph.symmetric ? graph.in.offsets : nullptr};
    if (!session.order_hubs(
            prepare::place_hubs(session.stream(), degrees, out_lists ? out : in, places))) {
      places = out_lists = in_lists = nullptr;
      return;
    }
    if (out_lists) prepare::call_by_places(session.stream(), out, places, out_lists);
    if (in_lists) prepare::call_by_places(session.stream(), in, places, in_lists);
  }
  __device__ __forceinline__ Vertex place(Vertex v) const { return places ? places[v] : v; }
};

namespace detail {

template <class Attribute>
__device__ __forceinline__ Graph<Attribute> by_places(Graph<Attribute> graph,
                                                      const HubOrder& hubs) {
  if (hubs.out_lists) {
    graph.out.targets = hubs.out_lists;
    if (graph.symmetric) graph.in.targets = hubs.out_lists;
  }
  if (hubs.in_lists) graph.in.targets = hubs.in_lists;
  return graph;
}

}  // namespace detail

#define VERTIGO_HUB_EDGES(name)                                                               \
  template <class Attribute>                                                                  \
  __device__ __forceinline__ auto name(const Graph<Attribute>& graph, const HubOrder& hubs) { \
    return name(detail::by_places(graph, hubs));                                              \
  }                                                                                           \
  template <class Attribute>                                                                  \
  __device__ __forceinline__ auto name(const Graph<Attribute>& graph, Vertex v,               \
                                       const HubOrder& hubs) {                                \
    return name(detail::by_places(graph, hubs), v);                                           \
  }

VERTIGO_HUB_EDGES(out_edges)
VERTIGO_HUB_EDGES(in_edges)
VERTIGO_HUB_EDGES(both_edges)
VERTIGO_HUB_EDGES(both_edges_once)
VERTIGO_HUB_EDGES(out_neighbours)
VERTIGO_HUB_EDGES(in_neighbours)
VERTIGO_HUB_EDGES(both_neighbours)
VERTIGO_HUB_EDGES(both_neighbours_once)

#undef VERTIGO_HUB_EDGES

}  // namespace vertigo::gpu
