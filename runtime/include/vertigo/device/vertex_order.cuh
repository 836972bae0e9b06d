#pragma once
// All vertices, approximately by descending degree, for kernels that give each to one thread:
//
//   for (const Vertex v : listed(by_out_degree)) { … }
//
// The threads of a warp follow lists of about the same length then (Edge-Vertex section 4.1). Ids
// stay what they are.

#include "vertigo/core/degree_buckets.h"
#include "vertigo/device/prepare.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

struct VertexOrder {
  Along along = Along::Out;
  Vertex count = 0;
  Vertex* vertices = nullptr;

  void declare(Session& session, const char* name) {
    count = session.vertex_count();
    session.declare(vertices, name);
    session.reserve("vertices by degree", prepare::order_memory(count));
  }
  template <class Attribute>
  void prepare(Session& session, const Graph<Attribute>& graph) const {
    const prepare::Degrees degrees{along == Along::In ? graph.in.offsets : graph.out.offsets,
                                   along == Along::Both ? graph.in.offsets : nullptr};
    prepare::approximate_order(session.stream(), degrees, count, vertices);
  }
};

__device__ __forceinline__ detail::Listed listed(const VertexOrder& order) {
  return {order.vertices, order.count};
}

}  // namespace vertigo::gpu
