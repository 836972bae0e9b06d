#pragma once
// A slot of its own for the message of every edge, so that senders write without atomics and
// receivers combine what is theirs in a fixed order (Edge-Vertex section 4.2):
//
//   for (const auto [u, slot] : out_neighbours(graph, v, slots)) messages[slot] = …;
//   for (const Vertex u : listed(slots))
//     for (const float message : messages_of(slots, messages, u)) …
//
// Receivers stand approximately by descending number of messages. 32 of them, the threads of a
// warp, are a group with room for 32 times as many messages as the largest of them gets; message k
// of the receiver in place `lane` of its group lies at the group's begin + 32 * k + lane, so that a
// warp reads side by side. Message k is that of the k-th edge to the receiver, in the order of the
// edges' senders, whatever the order of threads was.

#include "vertigo/core/degree_buckets.h"
#include "vertigo/device/expand.cuh"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

struct MessageSlots {
  Along along = Along::Out;
  /// Of Along::Both: messages along the out-edges are all where the graph is symmetric.
  bool once_if_symmetric = false;
  Vertex vertex_count = 0;
  std::uint64_t slot_count = 0;  ///< no more are needed, whatever the order inside a bucket
  Vertex* receivers = nullptr;
  EdgeIndex* first_slot = nullptr;     ///< of each receiver
  EdgeIndex* message_count = nullptr;  ///< of each receiver
  EdgeIndex* of_edge = nullptr;        ///< slot of each edge of the first pass
  EdgeIndex* of_second = nullptr;      ///< and of the second: the in-edges after the out-edges

  void declare(Session& session, const char* name) {
    vertex_count = session.vertex_count();
    slot_count = session.message_room(along, once_if_symmetric);
    session.declare(receivers, name);
    session.declare(first_slot, "first slots of receivers");
    session.declare(message_count, "numbers of messages");
    session.declare(of_edge, session.edge_count(), "slots of edges");
    const unsigned passes = session.message_passes(along, once_if_symmetric);
    session.reserve("edges by receiver",
                    prepare::placing_memory(vertex_count, session.edge_count(), passes));
    if (passes == 2)
      session.declare(of_second, session.edge_count(), "slots of edges, second pass");
  }
  template <class Attribute>
  void prepare(Session& session, const Graph<Attribute>& graph) const {
    prepare::Senders senders;
    senders.vertex_count = vertex_count;
    senders.edge_count = graph.edge_count;
    senders.targets = along == Along::In ? graph.in.targets : graph.out.targets;
    if (of_second != nullptr) senders.more_targets = graph.in.targets;
    prepare::Places places;
    places.receivers = receivers;
    places.first_slot = first_slot;
    places.message_count = message_count;
    places.of_edge = of_edge;
    places.of_more = of_second;
    prepare::place_messages(session.stream(), senders, places, slot_count);
  }
};

namespace detail {

template <class Attribute>
struct SlottedAdjacency : Adjacency<Attribute> {
  const EdgeIndex* slots = nullptr;
};

template <class Attribute>
__device__ __forceinline__ SlottedAdjacency<Attribute> slotted(
    const Adjacency<Attribute>& adjacency, const EdgeIndex* slots) {
  return {adjacency, slots};
}

template <class Attribute>
struct SlottedEdge {
  Vertex neighbour;
  Attribute attribute;
  EdgeIndex slot;
};
struct SlottedNeighbour {
  Vertex neighbour;
  EdgeIndex slot;
};

/// As EdgeSet: edge(v, u[, attribute], slot, extra...).
template <class AttributeType, bool kAttributes>
struct SlottedSet {
  using Attribute = AttributeType;
  using Lists = SlottedAdjacency<Attribute>;

  Lists first;
  Lists second;
  unsigned passes = 1;

  template <class Kept, class Edge, class... Extra>
  __device__ __forceinline__ static decltype(auto) visit(
      const SlottedAdjacency<Attribute>& adjacency, Vertex v, EdgeIndex e, const Kept& kept,
      const Edge& edge, Extra&... extra) {
    return apply(SlottedSet::edge(adjacency, e), v, kept, edge, extra...);
  }
  template <class End, class Kept, class Edge, class... Extra>
  __device__ __forceinline__ static decltype(auto) apply(const End& end, Vertex v, const Kept& kept,
                                                         const Edge& edge, Extra&... extra) {
    if constexpr (kAttributes)
      return kept.apply(edge, v, end.neighbour, end.attribute, end.slot, extra...);
    else
      return kept.apply(edge, v, end.neighbour, end.slot, extra...);
  }
  __device__ __forceinline__ static auto edge(const Lists& lists, EdgeIndex e) {
    if constexpr (kAttributes)
      return SlottedEdge<Attribute>{lists.targets[e], attribute(lists, e), lists.slots[e]};
    else
      return SlottedNeighbour{lists.targets[e], lists.slots[e]};
  }
};

template <class T>
struct MessageRange {
  const T* first;
  EdgeIndex count;

  struct Iterator {
    const T* at;
    EdgeIndex left;
    __device__ __forceinline__ T operator*() const { return *at; }
    __device__ __forceinline__ void operator++() {
      at += kWarp;
      --left;
    }
    __device__ __forceinline__ bool operator!=(std::nullptr_t) const { return left != 0; }
  };
  __device__ __forceinline__ Iterator begin() const { return {first, count}; }
  __device__ __forceinline__ std::nullptr_t end() const { return nullptr; }
};

}  // namespace detail

#define VERTIGO_SLOTTED_EDGES(name, attributes, one, two, passes)                                \
  template <class Attribute>                                                                     \
  __device__ __forceinline__ detail::SlottedSet<Attribute, attributes> name(                     \
      const Graph<Attribute>& graph, const MessageSlots& slots) {                                \
    return {detail::slotted(one, slots.of_edge), detail::slotted(two, slots.of_second), passes}; \
  }                                                                                              \
  template <class Attribute>                                                                     \
  __device__ __forceinline__ detail::EdgeRange<detail::SlottedSet<Attribute, attributes>> name(  \
      const Graph<Attribute>& graph, Vertex v, const MessageSlots& slots) {                      \
    const auto set = name(graph, slots);                                                         \
    return {set.first, set.second, (passes) == 2, v};                                            \
  }

VERTIGO_SLOTTED_EDGES(out_edges, true, graph.out, graph.out, 1u)
VERTIGO_SLOTTED_EDGES(in_edges, true, graph.in, graph.in, 1u)
VERTIGO_SLOTTED_EDGES(both_edges, true, graph.out, graph.in, 2u)
VERTIGO_SLOTTED_EDGES(both_edges_once, true, graph.out, graph.in, graph.symmetric ? 1u : 2u)
VERTIGO_SLOTTED_EDGES(out_neighbours, false, graph.out, graph.out, 1u)
VERTIGO_SLOTTED_EDGES(in_neighbours, false, graph.in, graph.in, 1u)
VERTIGO_SLOTTED_EDGES(both_neighbours, false, graph.out, graph.in, 2u)
VERTIGO_SLOTTED_EDGES(both_neighbours_once, false, graph.out, graph.in, graph.symmetric ? 1u : 2u)

#undef VERTIGO_SLOTTED_EDGES

/// The messages that wait for `receiver`, in the order of its edges.
template <class T>
__device__ __forceinline__ detail::MessageRange<T> messages_of(const MessageSlots& slots,
                                                               const T* messages, Vertex receiver) {
  return {messages + slots.first_slot[receiver], slots.message_count[receiver]};
}

/// All receivers, group by group.
__device__ __forceinline__ detail::Listed listed(const MessageSlots& slots) {
  return {slots.receivers, slots.vertex_count};
}

}  // namespace vertigo::gpu
