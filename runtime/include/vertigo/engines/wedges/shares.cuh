#pragma once
// What a triangle gives to its corners, and the ways to find out whether an edge closes a wedge.

#include "vertigo/device/combine.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/engines/wedges/operators.h"
#include "vertigo/engines/wedges/orient.cuh"

namespace vertigo::gpu::wedges {

/// Shares of triangles, by the numbers of vertices.
using Shares = unsigned long long*;

/// The place of `w` in an ascending list, or its end.
__device__ __forceinline__ EdgeIndex place_in(const Vertex* targets, EdgeIndex from, EdgeIndex end,
                                              Vertex w) {
  const EdgeIndex last = end;
  while (from < end) {
    const EdgeIndex middle = from + (end - from) / 2;
    if (__ldg(targets + middle) < w)
      from = middle + 1;
    else
      end = middle;
  }
  return from < last && __ldg(targets + from) == w ? from : last;
}

__device__ __forceinline__ List list_of(const Oriented& lists, Vertex number) {
  return load_constant(lists.lists + number);
}

/// Whether the lower number `w` is in the list of `v`.
__device__ __forceinline__ bool is_listed(const Oriented& lists, Vertex v, Vertex w) {
  if (v < lists.row_count) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(lists.rows + row_at(v));
    return (__ldg(words + w / 32) >> w % 32 & 1) != 0;
  }
  const List list = list_of(lists, v);
  const EdgeIndex end = list.begin + list.length;
  return place_in(lists.targets, list.begin, end, w) != end;
}

/// Who gets the shares of a triangle, by the program's condition on ids.
template <class Program>
struct Rule {
  static constexpr bool kBothWays = engines::wedges::kCountsBothWays<Program>;
  /// Nobody asks who has the shares: triangles are counted, and all three go to one vertex.
  static constexpr bool kAlone = Program::sum_alone;
  const Vertex* order;

  /// Whether `a` and not `b`, both numbers, gets the share of the edge between them.
  __device__ __forceinline__ bool is_for_first(Vertex a, Vertex b) const {
    const Vertex x = order != nullptr ? __ldg(order + a) : a;
    const Vertex y = order != nullptr ? __ldg(order + b) : b;
    return Program::counts_greater ? x < y : x > y;
  }
  /// Shares of the corners u, v and w of one triangle.
  __device__ __forceinline__ void give(Vertex u, Vertex v, Vertex w, unsigned& for_u,
                                       unsigned& for_v, unsigned& for_w) const {
    for_u = for_v = for_w = 1;
    if constexpr (!kBothWays) {
      const bool uv = is_for_first(u, v), uw = is_for_first(u, w), vw = is_for_first(v, w);
      for_u = unsigned{uv} + unsigned{uw};
      for_v = unsigned{!uv} + unsigned{vw};
      for_w = unsigned{!uw} + unsigned{!vw};
    }
  }
};

__device__ __forceinline__ void give_share(Shares shares, Vertex number, unsigned share) {
  if (share != 0) atomicAdd(shares + number, static_cast<unsigned long long>(share));
}

/// Adds up over a warp and gives it to `number`. All lanes call.
__device__ __forceinline__ void give_sum(Shares shares, Vertex number, unsigned long long mine) {
  const unsigned long long sum = gpu::detail::combine_warp(mine, Sum{});
  if (lane() == 0 && sum != 0) atomicAdd(shares + number, sum);
}

/// The triangles that a thread counted, at the end of a kernel: the warps give theirs to as many
/// vertices as there are, so that few meet at one.
__device__ __forceinline__ void give_counted(const Oriented& lists, Shares shares,
                                             unsigned long long triangles) {
  const auto warp = static_cast<Vertex>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
  give_sum(shares, warp % lists.vertex_count, 3 * triangles);
}

}  // namespace vertigo::gpu::wedges
