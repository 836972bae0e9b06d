#pragma once
// A slot of its own for the message of every edge. Unlike on the GPU, the slots of one receiver lie
// side by side, row by row: one thread reads them all, and whole cache lines of them.

#include <vector>

#include "vertigo/core/degree_buckets.h"
#include "vertigo/cpu/parallel.h"

namespace vertigo::cpu {

struct MessageSlots {
  Vertex vertex_count;
  const EdgeIndex* begins;     ///< of each receiver's slots, and the end
  const EdgeIndex* of_edge;    ///< slot of each edge of the first pass
  const EdgeIndex* of_second;  ///< and of the second: the in-edges after the out-edges
};

class MessageSlotsBuffer {
 public:
  MessageSlotsBuffer(Along along, bool once_if_symmetric = false)
      : along_(along), once_if_symmetric_(once_if_symmetric) {}

  template <class View>
  void allocate(const View& graph) {
    if (!begins_.empty()) return;
    vertex_count_ = graph.vertex_count;
    const bool both = along_ == Along::Both && !(once_if_symmetric_ && graph.symmetric);
    const Vertex* const targets = along_ == Along::In ? graph.in.targets : graph.out.targets;
    begins_.assign(std::size_t{vertex_count_} + 1, 0);
    count(targets, graph.edge_count);
    if (both) count(graph.in.targets, graph.edge_count);
    for (std::size_t u = 0; u < vertex_count_; ++u) begins_[u + 1] += begins_[u];
    std::vector<EdgeIndex> next = begins_;
    place(targets, graph.edge_count, next, of_edge_);
    if (both) place(graph.in.targets, graph.edge_count, next, of_second_);
  }
  std::size_t slot_count() const { return begins_.back(); }
  operator MessageSlots() const {  // NOLINT: kernels take the light handle
    return {vertex_count_, begins_.data(), of_edge_.data(), of_second_.data()};
  }

 private:
  void count(const Vertex* targets, EdgeIndex edges) {
    for (EdgeIndex e = 0; e < edges; ++e) ++begins_[targets[e] + std::size_t{1}];
  }
  static void place(const Vertex* targets, EdgeIndex edges, std::vector<EdgeIndex>& next,
                    std::vector<EdgeIndex>& slots) {
    slots.resize(edges);
    for (EdgeIndex e = 0; e < edges; ++e) slots[e] = next[targets[e]]++;
  }

  Along along_;
  bool once_if_symmetric_;
  Vertex vertex_count_ = 0;
  std::vector<EdgeIndex> begins_;
  std::vector<EdgeIndex> of_edge_;
  std::vector<EdgeIndex> of_second_;
};

template <class W>
struct SlottedEdge {
  Vertex neighbour;
  W weight;
  EdgeIndex slot;
};
struct SlottedNeighbour {
  Vertex neighbour;
  EdgeIndex slot;
};

/// A vertex's edges in one adjacency, then in another where there are two passes, with the slots of
/// their messages.
template <class W, bool weights>
class SlottedRange {
 public:
  struct Iterator {
    AdjacencyView<W> current;
    AdjacencyView<W> second;
    const EdgeIndex* slots;
    const EdgeIndex* second_slots;
    W default_weight;
    bool second_left;
    Vertex vertex;
    EdgeIndex at;
    EdgeIndex stop;

    void settle() {
      if (!second_left || at != stop) return;
      second_left = false;
      current = second;
      slots = second_slots;
      at = current.offsets[vertex];
      stop = current.offsets[vertex + 1];
    }
    auto operator*() const {
      if constexpr (weights)
        return SlottedEdge<W>{current.targets[at],
                              current.weights != nullptr ? current.weights[at] : default_weight,
                              slots[at]};
      else
        return SlottedNeighbour{current.targets[at], slots[at]};
    }
    Iterator& operator++() {
      ++at;
      settle();
      return *this;
    }
    bool operator!=(std::nullptr_t) const { return at != stop; }
  };

  SlottedRange(const AdjacencyView<W>& first, const AdjacencyView<W>& second, bool two_passes,
               W default_weight, Vertex v, const MessageSlots& slots)
      : begin_{first,      second, slots.of_edge,    slots.of_second,     default_weight,
               two_passes, v,      first.offsets[v], first.offsets[v + 1]} {
    begin_.settle();
  }
  Iterator begin() const { return begin_; }
  std::nullptr_t end() const { return nullptr; }

 private:
  Iterator begin_;
};

#define VERTIGO_SLOTTED_EDGES(name, weights, one, two, two_passes)             \
  template <class W>                                                           \
  inline SlottedRange<W, weights> name(const GraphView<W>& graph, Vertex v,    \
                                       const MessageSlots& slots) {            \
    return {graph.one, graph.two, two_passes, graph.default_weight, v, slots}; \
  }

VERTIGO_SLOTTED_EDGES(out_edges, true, out, out, false)
VERTIGO_SLOTTED_EDGES(in_edges, true, in, in, false)
VERTIGO_SLOTTED_EDGES(both_edges, true, out, in, true)
VERTIGO_SLOTTED_EDGES(both_edges_once, true, out, in, !graph.symmetric)
VERTIGO_SLOTTED_EDGES(out_neighbours, false, out, out, false)
VERTIGO_SLOTTED_EDGES(in_neighbours, false, in, in, false)
VERTIGO_SLOTTED_EDGES(both_neighbours, false, out, in, true)
VERTIGO_SLOTTED_EDGES(both_neighbours_once, false, out, in, !graph.symmetric)

#undef VERTIGO_SLOTTED_EDGES

/// The messages that wait for `receiver`, in the order of its edges.
template <class T>
inline std::span<const T> messages_of(const MessageSlots& slots, const T* messages,
                                      Vertex receiver) {
  return {messages + slots.begins[receiver], messages + slots.begins[receiver + 1]};
}

/// body(u) for all receivers.
template <class Body>
inline void for_each_listed(const MessageSlots& slots, const Body& body) {
  detail::parallel_chunks(slots.vertex_count, kVertexChunk,
                          [=](std::size_t i) { body(static_cast<Vertex>(i)); });
}

}  // namespace vertigo::cpu
