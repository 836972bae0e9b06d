#pragma once
// Messages along both directions of edges: an engine that knows one direction runs on the graph of
// all edges and their reverses, which is symmetric. A symmetric graph is that already, for engines
// that do not mind a message that comes twice; of others the lists of both directions are merged
// once on the host and lie beside the graph's own.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/common/both_ways/operators.h"

namespace vertigo::gpu {

/// Host bytes of what is written on its edges, in their order; 0: nothing.
std::uint64_t attribute_bytes(const graph::Graph& graph);

/// Copies its lists to the device; `attributes` is null where there are none.
void upload_lists(Session& session, const graph::Graph& graph, EdgeIndex* offsets, Vertex* targets,
                  void* attributes);

/// While it lives, host_graph(), edge_count() and lists_ascend_by_weight() of the session speak of
/// another graph of the same vertices.
class ShownGraph {
 public:
  ShownGraph(Session& session, const graph::Graph& graph)
      : session_(session), before_(session.show(&graph)) {}
  ~ShownGraph() { session_.show(before_); }
  ShownGraph(const ShownGraph&) = delete;

 private:
  Session& session_;
  const graph::Graph* before_;
};

/// `Inner`, an engine whose operators are OneWay, on the edges and their reverses.
template <class Inner, class Graph>
class BothWays {
  using Attribute = typename Graph::Attribute;

 public:
  void declare(Session& session, Graph& graph) {
    if (graph.symmetric) return inner_.declare(session, graph);
    const graph::Graph& lists = session.both_directions();
    show(graph);
    session.declare(offsets_, std::uint64_t{graph.vertex_count} + 1, "both directions (offsets)");
    session.declare_long(targets_, both_.edge_count, "both directions (edges)");
    if constexpr (!__is_same(Attribute, NoAttribute))
      if (attribute_bytes(lists) != 0)
        session.declare_long(attributes_, both_.edge_count, "both directions (attributes)");
    const ShownGraph shown(session, lists);
    inner_.declare(session, both_);
  }

  void prepare(Session& session, const Graph& graph) {
    if (graph.symmetric) return inner_.prepare(session, graph);
    const graph::Graph& lists = session.both_directions();
    upload_lists(session, lists, offsets_, targets_, attributes_);
    show(graph);
    const ShownGraph shown(session, lists);
    inner_.prepare(session, both_);
  }

  template <class Operators, class... Buffers>
  void run(Phase& phase, const Operators& operators, const Graph& graph, Buffers... buffers) {
    inner_.run(phase, engines::OneWay<Operators>{operators}, graph.symmetric ? graph : both_,
               buffers...);
  }

 private:
  void show(const Graph& graph) {
    both_ = graph;
    both_.edge_count = 2 * graph.edge_count;
    both_.symmetric = true;
    both_.out.offsets = offsets_;
    both_.out.targets = targets_;
    both_.out.attributes = attributes_;
    both_.in = both_.out;
  }

  Graph both_;
  EdgeIndex* offsets_ = nullptr;
  Vertex* targets_ = nullptr;
  Attribute* attributes_ = nullptr;
  Inner inner_;
};

}  // namespace vertigo::gpu
