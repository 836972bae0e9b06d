#pragma once
// Closed wedges of short lists: each pair of vertices of a list is looked up, in the row of the one
// or in its list. A warp shares the pairs of a list of eight and more; a thread takes those of a
// shorter one alone.

#include "vertigo/device/vertices.cuh"
#include "vertigo/engines/wedges/shares.cuh"

namespace vertigo::gpu::wedges {

template <class Program>
__global__ void __launch_bounds__(kBlock)
    count_short(const Oriented lists, const Total<Program>* weights, Shares<Program> shares) {
  constexpr bool kAlone = Rule<Program>::kAlone;
  constexpr bool kSides = Rule<Program>::kSides;
  __shared__ Vertex all_lists[kBlock / kWarp][kBlockFrom];
  __shared__ Part<Program> all_counts[kBlock / kWarp][kAlone ? 1 : kBlockFrom];
  Vertex* const list = all_lists[threadIdx.x / kWarp];
  Part<Program>* const counts = all_counts[threadIdx.x / kWarp];
  const Rule<Program> rule{lists.order, weights};
  const std::uint32_t number_of_lists = *lists.shorts.count;
  Total<Program> triangles = 0;
  for (std::uint32_t i = (blockIdx.x * kBlock + threadIdx.x) / kWarp; i < number_of_lists;
       i += gridDim.x * (kBlock / kWarp)) {
    const Vertex u = lists.shorts.items[i];
    const List own = list_of(lists, u);
    const unsigned length = own.length;
    __syncwarp();
    for (unsigned j = lane(); j < length; j += kWarp) {
      list[j] = __ldg(lists.targets + own.begin + j);
      if constexpr (!kAlone) counts[j] = Part<Program>{0};
    }
    __syncwarp();
    // Pairs (h, j) with h < j, those of j after those of all before it: lanes side by side look up
    // vertices that follow each other in the row or the list of the same one.
    Part<Program> of_u = 0;
    unsigned h = lane();
#pragma unroll 1
    for (unsigned j = 1;; h += kWarp) {
      for (; h >= j && j < length; ++j) h -= j;
      if (j >= length) break;
      const Vertex v = list[j], w = list[h];
      const EdgeIndex side = closing_edge<kSides>(lists, v, w);
      if (side == kNoEdge) continue;
      if constexpr (kAlone) {
        ++of_u;
      } else {
        Part<Program> for_u, for_v, for_w;
        rule.give(u, v, w, for_u, for_v, for_w);
        if constexpr (kSides)
          give_share<Total<Program>>(shares, side, for_u);
        else
          of_u += for_u;
        if (for_v != 0) atomicAdd(&counts[j], for_v);
        if (for_w != 0) atomicAdd(&counts[h], for_w);
      }
    }
    __syncwarp();
    if constexpr (kAlone) {
      triangles += of_u;
    } else {
      if constexpr (!kSides) give_sum<Total<Program>>(shares, u, of_u);
      for (unsigned j = lane(); j < length; j += kWarp)
        give_share<Total<Program>>(shares, kSides ? own.begin + j : list[j], counts[j]);
    }
  }
  if constexpr (kAlone) give_counted(lists, shares, triangles);
}

template <class Program>
__global__ void __launch_bounds__(kBlock)
    count_tiny(const Oriented lists, const Total<Program>* weights, Shares<Program> shares) {
  constexpr bool kAlone = Rule<Program>::kAlone;
  constexpr bool kSides = Rule<Program>::kSides;
  const Rule<Program> rule{lists.order, weights};
  Total<Program> triangles = 0;
  for (const Vertex u : gpu::detail::AllVertices{0, lists.vertex_count}) {
    const List own = list_of(lists, u);
    if (own.length < 2 || own.length >= kWarpFrom) continue;
    const Vertex* const list = lists.targets + own.begin;
    Part<Program> of_u = 0;
#pragma unroll 1
    for (unsigned j = 1; j < own.length; ++j) {
      const Vertex v = __ldg(list + j);
#pragma unroll 1
      for (unsigned h = 0; h < j; ++h) {
        const Vertex w = __ldg(list + h);
        const EdgeIndex side = closing_edge<kSides>(lists, v, w);
        if (side == kNoEdge) continue;
        if constexpr (kAlone) {
          ++of_u;
        } else {
          Part<Program> for_u, for_v, for_w;
          rule.give(u, v, w, for_u, for_v, for_w);
          if constexpr (kSides)
            give_share<Total<Program>>(shares, side, for_u);
          else
            of_u += for_u;
          give_share<Total<Program>>(shares, kSides ? own.begin + j : v, for_v);
          give_share<Total<Program>>(shares, kSides ? own.begin + h : w, for_w);
        }
      }
    }
    if constexpr (kAlone)
      triangles += of_u;
    else if constexpr (!kSides)
      give_share<Total<Program>>(shares, u, of_u);
  }
  if constexpr (kAlone) give_counted(lists, shares, triangles);
}

}  // namespace vertigo::gpu::wedges
