#pragma once
// The whole graph, where kernels can read all of it from the beginning to the end: in the device's
// memory, or partly in that of the host.

#include <array>
#include <memory>

#include "arrays.h"
#include "held_edges.h"
#include "hybrid/gather.h"
#include "vertigo/graph/graph.h"

namespace vertigo::gpu::detail {

class WholeEdges {
 public:
  /// Declares the arrays: offsets for the device, and what may be as long as the edges are for
  /// either, or for nobody where the edges stay in a file. `in`: in-edges are read, too.
  /// `attribute_bytes`: of an edge's attribute, 0 where nobody reads it.
  /// What the device of that number has already stays where it is.
  WholeEdges(const graph::Graph& graph, bool in, unsigned attribute_bytes, unsigned device,
             Arrays& arrays);

  /// The lists that lie behind the addresses, in host memory. Without in-edges those of `in` are
  /// the out-edges.
  hybrid::HostLists on_host(bool in) const;

  /// After the arrays are allocated.
  HeldEdges held() const;

 private:
  /// Of one adjacency, as kernels find them.
  struct Lists {
    const EdgeIndex* offsets = nullptr;
    const Vertex* targets = nullptr;
    const void* attributes = nullptr;
    std::array<std::shared_ptr<const void>, 3> owners;  ///< of what the device had before
  };
  void declare(Lists& lists, bool in, Arrays& arrays);
  const graph::Adjacency& adjacency(bool in) const {
    return in && graph_.in_adjacency ? *graph_.in_adjacency : graph_.out;
  }

  const graph::Graph& graph_;
  unsigned attribute_bytes_;
  unsigned device_;
  Lists out_;
  Lists in_;
};

}  // namespace vertigo::gpu::detail
