#pragma once
// What a triangle gives to its corners, and the ways to find out whether an edge closes a wedge.

#include <type_traits>

#include "vertigo/device/combine.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/engines/wedges/operators.h"
#include "vertigo/engines/wedges/orient.cuh"

namespace vertigo::gpu::wedges {

/// What shares of triangles are added up in: of one list, and in all. An edge lies in fewer
/// triangles than a vertex.
template <class Program>
using Total =
    engines::wedges::Share<Program,
                           std::conditional_t<Program::by_edge, unsigned, unsigned long long>>;
template <class Program>
using Part = std::conditional_t<Program::has_values, Total<Program>, unsigned>;

/// Shares of triangles: of corners, by the numbers of vertices; or of sides, by their places in the
/// lists.
template <class Program>
using Shares = Total<Program>*;

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

inline constexpr EdgeIndex kNoEdge = ~EdgeIndex{0};

/// The place of the lower number `w` in the list of `v`; kNoEdge where it is not there.
__device__ __forceinline__ EdgeIndex find_edge(const Oriented& lists, Vertex v, Vertex w) {
  const List list = list_of(lists, v);
  const EdgeIndex end = list.begin + list.length;
  if (v >= lists.row_count) {
    const EdgeIndex place = place_in(lists.targets, list.begin, end, w);
    return place == end ? kNoEdge : place;
  }
  const std::uint64_t at = row_at(v) + w / Unit::kVertices;
  const auto* const words = reinterpret_cast<const std::uint32_t*>(lists.rows + at);
  const unsigned own = w / 32 % 4;
  const std::uint32_t word = __ldg(words + own), bit = 1u << w % 32;
  if ((word & bit) == 0) return kNoEdge;
  unsigned before = __popc(word & (bit - 1));
  for (unsigned i = 0; i < own; ++i) before += __popc(__ldg(words + i));
  return list.begin + __ldg(lists.ranks + at) + before;
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

/// The edge that closes a wedge of `v` and the lower `w`, kNoEdge where none does. Which place it
/// has matters for sides alone.
template <bool kSides>
__device__ __forceinline__ EdgeIndex closing_edge(const Oriented& lists, Vertex v, Vertex w) {
  if constexpr (kSides) return find_edge(lists, v, w);
  return is_listed(lists, v, w) ? 0 : kNoEdge;
}

/// Who gets the shares of a triangle, by the program's condition on ids.
template <class Program>
struct Rule {
  static constexpr bool kBothWays = engines::wedges::kCountsBothWays<Program>;
  /// Nobody asks who has the shares: triangles are counted, and all three go to one vertex.
  static constexpr bool kAlone = Program::sum_alone;
  /// A side gets the share of the corner across, and u's share is for the side between v and w.
  static constexpr bool kSides = Program::by_edge;
  static constexpr bool kWeighs = Program::has_values;
  const Vertex* order;
  const Total<Program>* weights;  ///< of numbers, where they weigh

  /// Whether `a` and not `b`, both numbers, gets the share of the edge between them.
  __device__ __forceinline__ bool is_for_first(Vertex a, Vertex b) const {
    const Vertex x = order != nullptr ? __ldg(order + a) : a;
    const Vertex y = order != nullptr ? __ldg(order + b) : b;
    return Program::counts_greater ? x < y : x > y;
  }
  /// Shares of the corners u, v and w of one triangle, or of its sides.
  __device__ __forceinline__ void give(Vertex u, Vertex v, Vertex w, Part<Program>& for_u,
                                       Part<Program>& for_v, Part<Program>& for_w) const {
    if constexpr (kWeighs && kSides) {
      for_u = __ldg(weights + u);
      for_v = __ldg(weights + w);
      for_w = __ldg(weights + v);
    } else if constexpr (kWeighs) {
      weigh(u, v, w, for_u, for_v, for_w);
    } else {
      for_u = for_v = for_w = 1;
      if constexpr (!kBothWays) {
        const bool uv = is_for_first(u, v), uw = is_for_first(u, w), vw = is_for_first(v, w);
        for_u = unsigned{uv} + unsigned{uw};
        for_v = unsigned{!uv} + unsigned{vw};
        for_w = unsigned{!uw} + unsigned{!vw};
      }
    }
  }

 private:
  /// Along an edge, its end gets the weight of the third corner.
  __device__ __forceinline__ void weigh(Vertex u, Vertex v, Vertex w, Part<Program>& for_u,
                                        Part<Program>& for_v, Part<Program>& for_w) const {
    const Part<Program> of_u = __ldg(weights + u), of_v = __ldg(weights + v),
                        of_w = __ldg(weights + w), none{0};
    if constexpr (kBothWays) {
      for_u = of_v + of_w;
      for_v = of_u + of_w;
      for_w = of_u + of_v;
    } else {
      const bool uv = is_for_first(u, v), uw = is_for_first(u, w), vw = is_for_first(v, w);
      for_u = (uv ? of_w : none) + (uw ? of_v : none);
      for_v = (uv ? none : of_w) + (vw ? of_u : none);
      for_w = (uw ? none : of_v) + (vw ? none : of_u);
    }
  }
};

template <class T, class Place>
__device__ __forceinline__ void give_share(T* shares, Place place, T share) {
  if (share != T{0}) atomicAdd(shares + place, share);
}

/// Adds up over a warp and gives it to `number`. All lanes call.
template <class T>
__device__ __forceinline__ void give_sum(T* shares, Vertex number, T mine) {
  const T sum = gpu::detail::combine_warp(mine, Sum{});
  if (lane() == 0 && sum != T{0}) atomicAdd(shares + number, sum);
}

/// The triangles that a thread counted, at the end of a kernel: the warps give theirs to as many
/// vertices as there are, so that few meet at one.
template <class T>
__device__ __forceinline__ void give_counted(const Oriented& lists, T* shares, T triangles) {
  const auto warp = static_cast<Vertex>((blockIdx.x * blockDim.x + threadIdx.x) / kWarp);
  give_sum(shares, warp % lists.vertex_count, 3 * triangles);
}

}  // namespace vertigo::gpu::wedges
