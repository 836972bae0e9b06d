#pragma once
// Where the GPU keeps what neighbours read in the order of degrees. On a CPU, whose caches are
// larger than the values of most graphs, values lie by vertex.

#include "vertigo/core/degree_buckets.h"
#include "vertigo/cpu/graph_view.h"

namespace vertigo::cpu {

struct HubOrder {
  static Vertex place(Vertex v) { return v; }
};

class HubOrderBuffer {
 public:
  explicit HubOrderBuffer(Along) {}

  template <class View>
  void allocate(const View&) {}
  operator HubOrder() const { return {}; }  // NOLINT: kernels take the light handle
};

#define VERTIGO_HUB_EDGES(name)                                            \
  template <class W>                                                       \
  inline auto name(const GraphView<W>& graph, Vertex v, const HubOrder&) { \
    return name(graph, v);                                                 \
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

}  // namespace vertigo::cpu
