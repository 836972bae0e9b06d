#pragma once
// The whole graph, where kernels can read all of it from the beginning to the end: in the device's
// memory, or partly in that of the host.

#include "arrays.h"
#include "edge_source.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu::detail {

class WholeEdges final : public EdgeSource {
 public:
  /// Declares the arrays: offsets for the device, and what may be as long as the edges are for
  /// either. `in`: in-edges are read, too. `attribute_bytes`: of an edge's attribute,
  /// 0 where nobody reads it.
  WholeEdges(const graph::Graph& graph, bool in, unsigned attribute_bytes, Arrays& arrays);

  /// Nothing moves: any number of parts may be held at once.
  HeldEdges acquire(const graph::Part& part) override;
  void release(const graph::Part&) override {}

 private:
  /// Of one adjacency, as kernels find them.
  struct Lists {
    const EdgeIndex* offsets = nullptr;
    const Vertex* targets = nullptr;
    const void* attributes = nullptr;
  };
  void declare(Lists& lists, bool in, unsigned attribute_bytes, Arrays& arrays);
  HeldLists held(const Lists& lists, const graph::AdjacencySlice& slice) const;

  const graph::Graph& graph_;
  unsigned attribute_bytes_;
  Lists out_;
  Lists in_;
};

}  // namespace vertigo::gpu::detail
