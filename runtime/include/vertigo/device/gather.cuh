#pragma once
// Reductions over the edges of each vertex, with the same sharing of work as expand.cuh. The edge
// function returns whether further edges can change the result; where they often cannot, search.cuh
// stops earlier.
//
//   const float sum = gather_mixed(in_neighbours(graph), v, active, keep(), Sum{}, 0.0f,
//       [&](Vertex v, Vertex u, float& sum) { sum += …; return true; });
//
// The order of a vertex's partial results depends on its degree alone, so that floating sums repeat
// bit by bit. All threads of the block must call; the result is the caller's own vertex's.

#include "vertigo/device/combine.cuh"
#include "vertigo/device/expand.cuh"

namespace vertigo::gpu {

namespace detail {

/// Combinations that stand side by side in the code: those of pairs and of wide64 are long, and
/// nvcc's time grows with them.
template <class T>
inline constexpr unsigned kCombinesAtOnce = __is_class(T) ? 1 : kBlock / kWarp;

/// Of results of lanes and warps.
template <class T, class Combine>
__device__ __forceinline__ T combine_results(const T& a, const T& b, const Combine& combine) {
  if constexpr (__is_same(T, Wide64) && __is_same(Combine, Sum))
    return T::add_any(a, b);
  else
    return combine(a, b);
}

/// Combines over the lanes of a warp; every lane gets the result.
template <class T, class Combine>
__device__ __forceinline__ T combine_warp(T value, const Combine& combine) {
#pragma unroll(kCombinesAtOnce<T>)
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    value = combine_results(value, shuffle(value, lane() ^ distance), combine);
  return value;
}

/// Combines over the threads of a block through `partials`; every thread gets the result.
template <class T, class Combine>
__device__ __forceinline__ T combine_block(T value, const Combine& combine, const T& identity) {
  __shared__ T partials[kBlock / kWarp];
  value = combine_warp(value, combine);
  if (lane() == 0) partials[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = identity;
#pragma unroll(kCombinesAtOnce<T>)
  for (unsigned warp = 0; warp < kBlock / kWarp; ++warp)
    value = combine_results(value, partials[warp], combine);
  __syncthreads();
  return value;
}

/// Edges that a block visits between two looks at whether somebody is done.
inline constexpr unsigned kGatherRound = 8 * kBlock;

template <class Set, class Combine, class T, class Edge>
struct Gather {
  Pass<Set> pass;
  const Combine& combine;
  T identity;
  const Edge& edge;

  template <class Kept>
  __device__ __forceinline__ T one_by_block(const EdgeList<Kept>& list) const {
    T result = identity;
    bool more = true;
    for (EdgeIndex round = list.begin; round < list.end; round += kGatherRound) {
      const EdgeIndex end = list.end - round < kGatherRound ? list.end : round + kGatherRound;
#pragma unroll 1
      for (EdgeIndex e = round + threadIdx.x; more && e < end; e += kEdgesAtOnce * kBlock) {
        EndOf<Set> ends[kEdgesAtOnce];
        read_ends<Set>(ends, pass.adjacency, e, end);
#pragma unroll
        for (unsigned i = 0; i < kEdgesAtOnce; ++i)
          if (more && e + i * kBlock < end)
            more = Set::apply(ends[i], list.vertex, list.kept, edge, result);
      }
      if (__syncthreads_or(!more)) break;
    }
    return combine_block(result, combine, identity);
  }

  template <class Kept>
  __device__ __forceinline__ T one_by_warp(const EdgeList<Kept>& list) const {
    T result = identity;
    bool more = true;
#pragma unroll 1
    for (EdgeIndex round = list.begin; round < list.end; round += kEdgesAtOnce * kWarp) {
      const EdgeIndex e = round + lane();
      EndOf<Set> ends[kEdgesAtOnce];
      read_ends<Set, kWarp>(ends, pass.adjacency, e, list.end);
#pragma unroll
      for (unsigned i = 0; i < kEdgesAtOnce; ++i)
        if (more && e + i * kWarp < list.end)
          more = Set::apply(ends[i], list.vertex, list.kept, edge, result);
      if (__any_sync(kAllLanes, !more)) break;
    }
    return combine_warp(result, combine);
  }

  /// Lists of at least `least` edges, which are emptied.
  template <class Kept>
  __device__ __forceinline__ void by_block(EdgeList<Kept>& mine, unsigned least, T& result) const {
    __shared__ LongLists<Kept> lists;
    if (least == kNoList) return;
    const bool is_long = mine.end - mine.begin >= least;
    unsigned place;
    if (!lists.collect(is_long, place)) return;
    for (unsigned turn = 0; turn < lists.size(); ++turn) {
      const T found = one_by_block(lists.show(turn, place, mine));
      if (turn == place) result = combine_results(result, found, combine);
    }
    if (is_long) mine.end = mine.begin;
    __syncthreads();
  }

  template <class Kept>
  __device__ __forceinline__ void by_warp(EdgeList<Kept>& mine, unsigned least, T& result) const {
    if (least == kNoList) return;
    const bool is_medium = mine.end - mine.begin >= least;
    for (unsigned left = __ballot_sync(kAllLanes, is_medium); left != 0; left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      const T found = one_by_warp(shuffle(mine, owner));
      if (lane() == owner) result = combine_results(result, found, combine);
    }
    if (is_medium) mine.end = mine.begin;
  }

  /// Several edges at a time: a thread waits for the loads of all of them once.
  template <class Kept>
  __device__ __forceinline__ void by_thread(const EdgeList<Kept>& mine, T& result) const {
#pragma unroll 1
    for (EdgeIndex e = mine.begin; e < mine.end; e += kEdgesAtOnce) {
      EndOf<Set> ends[kEdgesAtOnce];
      read_ends<Set, 1>(ends, pass.adjacency, e, mine.end);
      bool more = true;
#pragma unroll
      for (unsigned i = 0; i < kEdgesAtOnce; ++i)
        if (more && e + i < mine.end)
          more = Set::apply(ends[i], mine.vertex, mine.kept, edge, result);
      if (!more) return;
    }
  }
};

}  // namespace detail

namespace detail {

/// `sharing(adjacency)`: which lists go to a block, and to a warp.
template <class Set, class Kept, class Combine, class T, class Edge, class SharingOf>
__device__ __forceinline__ T gather_shared(const Set& edges, Vertex v, bool active,
                                           const Kept& kept, const Combine& combine, T identity,
                                           const Edge& edge, const SharingOf& sharing_of) {
  T result = identity;
  for (unsigned i = 0; i < edges.passes; ++i) {
    const Gather<Set, Combine, T, Edge> gather{{edges, i}, combine, identity, edge};
    const Sharing sharing = sharing_of(gather.pass.adjacency);
    auto mine = gather.pass.list(v, active, kept);
    gather.by_block(mine, sharing.by_block, result);
    gather.by_warp(mine, sharing.by_warp, result);
    gather.by_thread(mine, result);
  }
  return result;
}

}  // namespace detail

template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_mixed(const Set& edges, Vertex v, bool active, const Kept& kept,
                                          const Combine& combine, T identity, const Edge& edge) {
  return detail::gather_shared(edges, v, active, kept, combine, identity, edge,
                               [](const auto&) { return Sharing{}; });
}

/// As mixed; what no list of the graph is long enough for is left out.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_auto(const Set& edges, Vertex v, bool active, const Kept& kept,
                                         const Combine& combine, T identity, const Edge& edge) {
  return detail::gather_shared(edges, v, active, kept, combine, identity, edge,
                               [](const auto& adjacency) { return adjacency.sharing; });
}

/// Every list by a warp.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_by_warp(const Set& edges, Vertex v, bool active,
                                            const Kept& kept, const Combine& combine, T identity,
                                            const Edge& edge) {
  T result = identity;
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Gather<Set, Combine, T, Edge> gather{{edges, i}, combine, identity, edge};
    auto mine = gather.pass.list(v, active, kept);
    gather.by_warp(mine, 1, result);
  }
  return result;
}

/// Every list by the whole block.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_by_block(const Set& edges, Vertex v, bool active,
                                             const Kept& kept, const Combine& combine, T identity,
                                             const Edge& edge) {
  T result = identity;
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Gather<Set, Combine, T, Edge> gather{{edges, i}, combine, identity, edge};
    auto mine = gather.pass.list(v, active, kept);
    gather.by_block(mine, 1, result);
  }
  return result;
}

}  // namespace vertigo::gpu
