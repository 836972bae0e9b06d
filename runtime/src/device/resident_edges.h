#pragma once
// The whole graph in the device's memory from the beginning to the end.

#include "arrays.h"
#include "edge_source.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu::detail {

class ResidentEdges final : public EdgeSource {
 public:
  /// Declares the arrays. `in`: in-edges are read, too. `attribute_bytes`: of an edge's attribute,
  /// 0 where nobody reads it.
  ResidentEdges(const graph::Graph& graph, bool in, unsigned attribute_bytes, Arrays& arrays);

  /// Nothing moves: any number of parts may be held at once.
  HeldEdges acquire(const graph::Part& part) override;
  void release(const graph::Part&) override {}

 private:
  /// Of one adjacency, all on the device.
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
