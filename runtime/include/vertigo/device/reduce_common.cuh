#pragma once
// Reductions over the common neighbours of two vertices: a function of each of them, folded. A
// vertex that stands in a list several times, by parallel edges, counts once.
//
// As in intersect.cuh, a thread goes through short lists alone, and lanes share long ones, each
// pair in turn. What the function reads of its thread goes along.

#include <type_traits>

#include "vertigo/device/combine.cuh"
#include "vertigo/device/intersect.cuh"
#include "vertigo/device/pack.cuh"

namespace vertigo::gpu {

namespace detail {

struct AllEdges {
  __device__ __forceinline__ bool operator()(EdgeIndex) const { return true; }
};

/// What stands at every `stride`-th vertex of the shorter list, from number `first` on.
template <class Fold, class T, class Kept, class Function, class Counts>
__device__ __forceinline__ T reduce_part(const SortedList& shorter, const SortedList& longer,
                                         unsigned first, unsigned stride, const Vertex* targets,
                                         Fold fold, T identity, const Kept& kept,
                                         const Function& function, const Counts& counts) {
  const bool search = stride > 1 || longer.length / kSearchRatio > shorter.length;
  T total = identity;
  EdgeIndex j = 0;
#pragma unroll 1
  for (EdgeIndex i = first; i < shorter.length && j < longer.length; i += stride) {
    const Vertex x = __ldg(shorter.first + i);
    if (i > 0 && __ldg(shorter.first + i - 1) == x) continue;
    if (!counts(static_cast<EdgeIndex>(shorter.first - targets) + i)) continue;
    if (search)
      j = place_of(longer, j, x);
    else
      while (j < longer.length && __ldg(longer.first + j) < x) ++j;
    if (j < longer.length && __ldg(longer.first + j) == x &&
        counts(static_cast<EdgeIndex>(longer.first - targets) + j)) {
      total = fold(total, static_cast<T>(kept.apply(function, x)));
      // A truth value that has changed is settled.
      if constexpr (std::is_same_v<T, bool>)
        if (total != identity) break;
    }
  }
  return total;
}

/// A long list is always cut into as many parts as a warp has lanes, and their values are folded in
/// the order of the parts: floating sums do not depend on how many lanes are there.
template <class Fold, class T, class Kept, class Function, class Counts>
__device__ __noinline__ T reduce_of(SortedList shorter, SortedList longer, const Vertex* targets,
                                    Fold fold, T identity, Kept kept, Function function,
                                    Counts counts) {
  const bool is_long = shorter.length >= kIntersectTogether;
  T result = identity;
  const unsigned helpers = __activemask();
  const unsigned count = __popc(helpers);
  const unsigned rank = __popc(helpers & lanes_below());
  // What a lane has written of its own vertex, others read.
  __syncwarp(helpers);
  for (unsigned left = __ballot_sync(helpers, is_long); left != 0; left &= left - 1) {
    const unsigned owner = __ffs(left) - 1;
    const SortedList a = shuffle(shorter, owner, helpers), b = shuffle(longer, owner, helpers);
    const Kept its = shuffle(kept, owner, helpers);
    T total = identity;
    for (unsigned done = 0; done < kWarp; done += count) {
      T part = identity;
      if (done + rank < kWarp)
        part =
            reduce_part(a, b, done + rank, kWarp, targets, fold, identity, its, function, counts);
      __syncwarp(helpers);
      unsigned lanes = helpers;
      for (unsigned next = done; next < kWarp && lanes != 0; ++next, lanes &= lanes - 1)
        total = fold(total, shuffle(part, __ffs(lanes) - 1, helpers));
    }
    if (lane() == owner) result = total;
  }
  return is_long
             ? result
             : reduce_part(shorter, longer, 0, 1, targets, fold, identity, kept, function, counts);
}

}  // namespace detail

/// `fold` of `function(x, kept...)` over the vertices x that both have, from `identity` on. Where
/// `counts(place)` is given, over those to which it holds of both edges. What the functions know
/// besides is the same in all threads.
template <class Attribute, class Fold, class T, class Kept, class Function,
          class Counts = detail::AllEdges>
__device__ __forceinline__ T reduce_common(const Graph<Attribute>& graph, Vertex u, Vertex v,
                                           Fold fold, T identity, const Kept& kept,
                                           const Function& function, const Counts& counts = {}) {
  if (u == kNoVertex || v == kNoVertex) return identity;
  const detail::SortedList a = detail::out_list(graph, u);
  const detail::SortedList b = detail::out_list(graph, v);
  const bool swapped = a.length > b.length;
  return detail::reduce_of(swapped ? b : a, swapped ? a : b, graph.out.targets, fold, identity,
                           kept, function, counts);
}

}  // namespace vertigo::gpu
