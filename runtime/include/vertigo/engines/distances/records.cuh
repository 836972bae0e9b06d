#pragma once
// How the preparations of the engine `distances` read and write its records. For the .cu files of
// this folder only.

#include "vertigo/core/unsigned_word.h"
#include "vertigo/engines/distances/lists.cuh"

namespace vertigo::gpu::distances::records {

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kEdgesPerBlock = 4 * kThreads;

inline unsigned blocks_for(std::uint64_t items, unsigned per_block) {
  const std::uint64_t blocks = (items + per_block - 1) / per_block;
  return blocks < 1 ? 1 : blocks < (1u << 16) ? static_cast<unsigned>(blocks) : 1u << 16;
}

template <class Weight>
using Rank = Unsigned<sizeof(Weight)>;

/// An unsigned number that is ordered as the weights are, best first. Of integers, differences are
/// kept too.
template <class Weight>
__host__ __device__ Rank<Weight> rank_of(Weight weight, bool downwards) {
  constexpr Rank<Weight> kSign = Rank<Weight>{1} << (8 * sizeof(Weight) - 1);
  auto bits = gpu::detail::bits_as<Rank<Weight>>(weight);
  if constexpr (gpu::detail::kIsFloat<Weight>)
    bits = (bits & kSign) != 0 ? ~bits : bits | kSign;
  else if constexpr (gpu::detail::kIsSigned<Weight>)
    bits ^= kSign;
  return downwards ? bits : ~bits;
}

/// Back again.
template <class Weight>
__host__ __device__ Weight weight_of(Rank<Weight> rank, bool downwards) {
  constexpr Rank<Weight> kSign = Rank<Weight>{1} << (8 * sizeof(Weight) - 1);
  Rank<Weight> bits = downwards ? rank : ~rank;
  if constexpr (gpu::detail::kIsFloat<Weight>)
    bits = (bits & kSign) != 0 ? bits & ~kSign : ~bits;
  else if constexpr (gpu::detail::kIsSigned<Weight>)
    bits ^= kSign;
  return gpu::detail::bits_as<Weight>(bits);
}

template <class Weight>
__device__ bool is_better(Weight a, Weight b, bool downwards) {
  return downwards ? a < b : b < a;
}

template <class Weight>
__device__ Weight weight_at(const Adjacency<Weight>& from, EdgeIndex e) {
  return from.attributes != nullptr ? from.attributes[e] : from.everywhere;
}

template <class Weight>
__device__ std::uint32_t code_of(const RecordCode<Weight>& code, Weight weight) {
  if (code.weight_bits == 0) return 0;
  return static_cast<std::uint32_t>(rank_of(weight, code.downwards) -
                                    rank_of(code.best_weight, code.downwards));
}

template <class Weight>
__device__ void write(NarrowEdge& edge, const RecordCode<Weight>& code, Vertex target,
                      Weight weight) {
  edge = {target << code.weight_bits | code_of(code, weight)};
}
template <class Weight>
__device__ void write(WideEdge<Weight>& edge, const RecordCode<Weight>&, Vertex target,
                      Weight weight) {
  edge = {target, weight};
}

template <class Weight>
__device__ Weight read(NarrowEdge edge, const RecordCode<Weight>& code) {
  if (code.weight_bits == 0) return code.best_weight;
  const Rank<Weight> rank =
      rank_of(code.best_weight, code.downwards) + (edge.bits & ((1u << code.weight_bits) - 1));
  return weight_of<Weight>(rank, code.downwards);
}
template <class Weight>
__device__ Weight read(const WideEdge<Weight>& edge, const RecordCode<Weight>&) {
  return edge.weight;
}

__device__ inline void write_none(NarrowEdge& edge) { edge = {~std::uint32_t{0}}; }
template <class Weight>
__device__ void write_none(WideEdge<Weight>& edge) {
  edge = {kNoVertex, Weight{}};
}

/// The last vertex in [low, high] whose list begins at `edge` or before it.
__device__ inline Vertex source_between(const std::uint32_t* offsets, Vertex low, Vertex high,
                                        std::uint32_t edge) {
  while (low < high) {
    const Vertex middle = high - (high - low) / 2;
    if (offsets[middle] <= edge)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// The lists of consecutive vertices, which are sorted together: sources and edges are counted from
/// the first of them.
struct ListsOfPart {
  const std::uint32_t* offsets;  ///< of the whole adjacency, from the part's first vertex on
  Vertex vertex_count;
  std::uint32_t first_edge;
  std::uint32_t edge_count;
};

/// visit(edge, source) for every edge. A block takes neighbouring edges, so that their sources lie
/// between two that it looks up once.
template <class Visit>
__device__ void visit_edges(const ListsOfPart& part, const Visit& visit) {
  __shared__ Vertex ends[2];
  const auto source = [&](Vertex low, Vertex high, std::uint64_t edge) {
    return source_between(part.offsets, low, high,
                          part.first_edge + static_cast<std::uint32_t>(edge));
  };
  const std::uint32_t edge_count = part.edge_count;
  for (std::uint64_t base = std::uint64_t{blockIdx.x} * kEdgesPerBlock; base < edge_count;
       base += std::uint64_t{gridDim.x} * kEdgesPerBlock) {
    const std::uint64_t last = min(base + kEdgesPerBlock, std::uint64_t{edge_count}) - 1;
    __syncthreads();
    if (threadIdx.x < 2)
      ends[threadIdx.x] = source(0, part.vertex_count - 1, threadIdx.x == 0 ? base : last);
    __syncthreads();
    for (std::uint64_t e = base + threadIdx.x; e <= last; e += blockDim.x)
      visit(static_cast<std::uint32_t>(e), source(ends[0], ends[1], e));
  }
}

}  // namespace vertigo::gpu::distances::records
