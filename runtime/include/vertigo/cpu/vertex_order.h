#pragma once
// All vertices, approximately by descending degree: the order that kernels of the GPU take them in
// where balance=sorted is pinned. A CPU gains nothing by it but a test of the same plan.

#include <algorithm>
#include <vector>

#include "vertigo/core/degree_buckets.h"
#include "vertigo/cpu/parallel.h"

namespace vertigo::cpu {

struct VertexOrder {
  std::span<const Vertex> vertices;
};

class VertexOrderBuffer {
 public:
  explicit VertexOrderBuffer(Along along) : along_(along) {}

  template <class View>
  void allocate(const View& graph) {
    if (graph.vertex_count == 0 || !vertices_.empty()) return;
    const auto degree = [&](Vertex v) {
      return (along_ != Along::In ? out_degree(graph, v) : 0) +
             (along_ != Along::Out ? in_degree(graph, v) : 0);
    };
    EdgeIndex least = degree(0);
    EdgeIndex most = least;
    for (Vertex v = 1; v < graph.vertex_count; ++v) {
      least = std::min(least, degree(v));
      most = std::max(most, degree(v));
    }
    const DegreeBuckets buckets(least, most);
    std::vector<Vertex> starts(buckets.of(least) + 2, 0);
    for (Vertex v = 0; v < graph.vertex_count; ++v) ++starts[buckets.of(degree(v)) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    vertices_.resize(graph.vertex_count);
    for (Vertex v = 0; v < graph.vertex_count; ++v) vertices_[starts[buckets.of(degree(v))]++] = v;
  }
  operator VertexOrder() const { return {vertices_}; }  // NOLINT: kernels take the light handle

 private:
  Along along_;
  std::vector<Vertex> vertices_;
};

/// body(v) for all vertices, in their order.
template <class Body>
inline void for_each_listed(const VertexOrder& order, const Body& body) {
  for_each_given(order.vertices, body);
}

}  // namespace vertigo::cpu
