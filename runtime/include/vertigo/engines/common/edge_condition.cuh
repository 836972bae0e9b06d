#pragma once
// Which edges messages go along. A condition reads the two vertices, the edge, and what the phase
// does not change: a search under a condition is one of the graph of the edges that pass.

#include "vertigo/device/graph.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/engines/common/records.cuh"

namespace vertigo::gpu {

/// All edges pass.
template <class Program, class Attribute, bool kAsks = Program::has_condition>
struct EdgeCondition {
  EdgeCondition() = default;
  EdgeCondition(const Program&, const Adjacency<Attribute>&, const Adjacency<Attribute>&) {}

  static constexpr bool kReadsEdge = false;
  __device__ __forceinline__ static bool passes(Vertex, Vertex, EdgeIndex) { return true; }
  __device__ __forceinline__ static bool passes_back(Vertex, Vertex, EdgeIndex) { return true; }
};

template <class Program, class Attribute>
struct EdgeCondition<Program, Attribute, true> {
  EdgeCondition() = default;
  /// The edges from their senders, and from their receivers.
  EdgeCondition(const Program& asked, const Adjacency<Attribute>& from,
                const Adjacency<Attribute>& to)
      : program(asked), along(from), against(to) {}

  static constexpr bool kReadsEdge = Program::condition_reads_edge;

  /// `edge`: its place in the lists of senders.
  __device__ __forceinline__ bool passes(Vertex sender, Vertex receiver, EdgeIndex edge) const {
    return asks(sender, receiver, along, edge);
  }
  /// `edge`: its place in the lists of receivers.
  __device__ __forceinline__ bool passes_back(Vertex sender, Vertex receiver,
                                              EdgeIndex edge) const {
    return asks(sender, receiver, against, edge);
  }

  Program program;
  Adjacency<Attribute> along;
  Adjacency<Attribute> against;

 private:
  __device__ __forceinline__ bool asks(Vertex sender, Vertex receiver,
                                       const Adjacency<Attribute>& lists, EdgeIndex edge) const {
    if constexpr (kReadsEdge)
      return program.passes(sender, receiver, gpu::detail::attribute(lists, edge));
    else
      return program.passes(sender, receiver);
  }
};

/// As pack_records(), of the edges that pass: once for each search.
template <class Program, class Attribute>
__global__ void __launch_bounds__(kBlock)
    pack_passing(const __grid_constant__ EdgeCondition<Program, Attribute> condition,
                 Vertex vertices, uint4* records) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < vertices;
       i += stride) {
    const auto v = static_cast<Vertex>(i);
    Vertex neighbours[kRecord] = {kNoVertex, kNoVertex, kNoVertex, kNoVertex};
    unsigned found = 0;
    const EdgeIndex end = condition.along.offsets[v + 1];
    for (EdgeIndex e = condition.along.offsets[v]; e < end && found <= kRecord; ++e) {
      const Vertex u = condition.along.targets[e];
      if (!condition.passes(v, u, e)) continue;
#pragma unroll
      for (unsigned k = 0; k < kRecord; ++k)
        if (k == found) neighbours[k] = u;
      ++found;
    }
    records[v] = found > kRecord
                     ? uint4{kMore, v, kNoVertex, kNoVertex}
                     : uint4{neighbours[0], neighbours[1], neighbours[2], neighbours[3]};
  }
}

}  // namespace vertigo::gpu
