#pragma once
// The in-edges of the engine `distances`, as the look-up of predecessors reads them.

#include "vertigo/device/graph.cuh"
#include "vertigo/engines/distances/edges.cuh"

namespace vertigo::gpu::distances {

/// The in-edges in the best form that is at hand, for who asks which of them brought a value: those
/// that the engine pulls along, or as they are in the graph. One type for all forms, because nvcc
/// takes a third of a second for each kernel over one.
template <class Combine, class WeightType>
struct InLists {
  using Weight = WeightType;

  Adjacency<Weight> plain;
  const std::uint32_t* offsets = nullptr;  ///< null: as they are in the graph
  const NarrowEdge* narrow = nullptr;
  const WideEdge<Weight>* wide = nullptr;
  EdgeCode<Combine, Weight> code;

  struct Edge {
    Vertex sender;
    Weight weight;
  };
  void take(const EdgeLists<NarrowEdge>& lists) {
    offsets = lists.offsets;
    narrow = lists.edges;
  }
  void take(const EdgeLists<WideEdge<Weight>>& lists) {
    offsets = lists.offsets;
    wide = lists.edges;
  }
  __device__ __forceinline__ EdgeIndex begin(Vertex v) const {
    return offsets != nullptr ? offsets[v] : plain.offsets[v];
  }
  __device__ __forceinline__ EdgeIndex end(Vertex v) const { return begin(v + 1); }
  __device__ __forceinline__ Edge edge(EdgeIndex e) const {
    if (narrow != nullptr) {
      const NarrowEdge edge = load_constant(narrow + e);
      return {code.target(edge), code.weight(edge)};
    }
    if (wide != nullptr) {
      const WideEdge<Weight> edge = load_constant(wide + e);
      return {edge.target, edge.weight};
    }
    return {load_constant(plain.targets + e), gpu::detail::attribute(plain, e)};
  }
  template <class Value>
  __device__ __forceinline__ bool is_known(Value) const {
    return false;
  }
  __device__ __forceinline__ bool ids_ascend() const { return false; }
  __device__ __forceinline__ bool weights_sorted() const { return offsets != nullptr; }
};

}  // namespace vertigo::gpu::distances
