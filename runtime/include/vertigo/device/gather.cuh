#pragma once
// Reductions over the edges of each vertex, with the same sharing of work as expand.cuh and an
// early exit: the edge function returns false once further edges cannot change the result.
//
//   const float sum = gather_mixed(graph.in, v, active, keep(), Sum{}, 0.0f,
//       [&](Vertex v, Vertex u, EdgeIndex e, float& sum) { sum += …; return true; });
//
// The order of a vertex's partial results depends on its degree alone, so that floating sums repeat
// bit by bit. All threads of the block must call; the result is the caller's own vertex's.

#include "vertigo/device/expand.cuh"

namespace vertigo::gpu {

namespace detail {

/// Combines over the lanes of a warp; every lane gets the result.
template <class T, class Combine>
__device__ __forceinline__ T combine_warp(T value, const Combine& combine) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    value = combine(value, shuffle(value, lane() ^ distance));
  return value;
}

template <class Kept, class T, class Edge>
__device__ __forceinline__ bool accumulate(const EdgeList<Kept>& list, EdgeIndex e,
                                           const Adjacency& adjacency, T& result,
                                           const Edge& edge) {
  return list.kept.apply(edge, list.vertex, adjacency.targets[e], e, result);
}

/// Edges that a block visits between two looks at whether somebody is done.
inline constexpr unsigned kGatherRound = 8 * kBlock;

template <class Kept, class T, class Combine, class Edge>
__device__ __forceinline__ T gather_long(const EdgeList<Kept>& list, const Combine& combine,
                                         const T& identity, const Adjacency& adjacency,
                                         const Edge& edge, T* partials) {
  T result = identity;
  bool more = true;
  for (EdgeIndex round = list.begin; round < list.end; round += kGatherRound) {
    const EdgeIndex end = list.end - round < kGatherRound ? list.end : round + kGatherRound;
    for (EdgeIndex e = round + threadIdx.x; more && e < end; e += blockDim.x)
      more = accumulate(list, e, adjacency, result, edge);
    if (__syncthreads_or(!more)) break;
  }
  result = combine_warp(result, combine);
  if (lane() == 0) partials[threadIdx.x / kWarp] = result;
  __syncthreads();
  if (threadIdx.x < kWarp) {
    result = combine_warp(lane() < blockDim.x / kWarp ? partials[lane()] : identity, combine);
    if (lane() == 0) partials[0] = result;
  }
  __syncthreads();
  return partials[0];
}

/// Lists of at least `least` edges; the vertex's own thread gets the result into `result`.
template <class Kept, class T, class Combine, class Edge>
__device__ __forceinline__ void gather_by_block(EdgeList<Kept>& mine, unsigned least,
                                                const Adjacency& adjacency, const Combine& combine,
                                                const T& identity, T& result, const Edge& edge) {
  __shared__ LongLists<Kept> shared;
  __shared__ T partials[kBlock / kWarp];
  const bool is_long = mine.end - mine.begin >= least;
  if (!__syncthreads_or(is_long)) return;
  if (threadIdx.x == 0) shared.count = 0;
  __syncthreads();
  unsigned place = kBlock;
  if (is_long) {
    place = atomicAdd(&shared.count, 1u);
    shared.list[place] = mine;
    mine.end = mine.begin;
  }
  __syncthreads();
  for (unsigned i = 0; i < shared.count; ++i) {
    const T found = gather_long(shared.list[i], combine, identity, adjacency, edge, partials);
    if (i == place) result = combine(result, found);
    __syncthreads();
  }
}

template <class Kept, class T, class Combine, class Edge>
__device__ __forceinline__ void gather_by_warp(EdgeList<Kept>& mine, unsigned least,
                                               const Adjacency& adjacency, const Combine& combine,
                                               const T& identity, T& result, const Edge& edge) {
  const bool is_medium = mine.end - mine.begin >= least;
  for (unsigned left = __ballot_sync(kAllLanes, is_medium); left != 0; left &= left - 1) {
    const unsigned owner = __ffs(left) - 1;
    const auto list = shuffle(mine, owner);
    T found = identity;
    bool more = true;
    for (EdgeIndex e = list.begin; e < list.end; e += kWarp) {
      if (e + lane() < list.end) more = accumulate(list, e + lane(), adjacency, found, edge);
      if (__any_sync(kAllLanes, !more)) break;
    }
    found = combine_warp(found, combine);
    if (lane() == owner) result = combine(result, found);
  }
  if (is_medium) mine.end = mine.begin;
}

template <class Kept, class T, class Edge>
__device__ __forceinline__ void gather_by_thread(const EdgeList<Kept>& mine,
                                                 const Adjacency& adjacency, T& result,
                                                 const Edge& edge) {
  for (EdgeIndex e = mine.begin; e < mine.end; ++e)
    if (!accumulate(mine, e, adjacency, result, edge)) return;
}

}  // namespace detail

template <class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_mixed(const Adjacency& adjacency, Vertex v, bool active,
                                          const Kept& kept, const Combine& combine, T identity,
                                          const Edge& edge) {
  auto mine = detail::edge_list(adjacency, v, active, kept);
  T result = identity;
  detail::gather_by_block(mine, kBlockList, adjacency, combine, identity, result, edge);
  detail::gather_by_warp(mine, kWarpList, adjacency, combine, identity, result, edge);
  detail::gather_by_thread(mine, adjacency, result, edge);
  return result;
}

template <class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_by_warp(const Adjacency& adjacency, Vertex v, bool active,
                                            const Kept& kept, const Combine& combine, T identity,
                                            const Edge& edge) {
  auto mine = detail::edge_list(adjacency, v, active, kept);
  T result = identity;
  detail::gather_by_warp(mine, 1, adjacency, combine, identity, result, edge);
  return result;
}

template <class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_by_block(const Adjacency& adjacency, Vertex v, bool active,
                                             const Kept& kept, const Combine& combine, T identity,
                                             const Edge& edge) {
  auto mine = detail::edge_list(adjacency, v, active, kept);
  T result = identity;
  detail::gather_by_block(mine, 1, adjacency, combine, identity, result, edge);
  return result;
}

template <class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_by_thread(const Adjacency& adjacency, Vertex v, bool active,
                                              const Kept& kept, const Combine&, T identity,
                                              const Edge& edge) {
  const auto mine = detail::edge_list(adjacency, v, active, kept);
  T result = identity;
  detail::gather_by_thread(mine, adjacency, result, edge);
  return result;
}

}  // namespace vertigo::gpu
