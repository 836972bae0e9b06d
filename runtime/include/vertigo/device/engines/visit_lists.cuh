#pragma once
// How the warps of a persistent kernel walk edge lists: `share_out` for what goes to neighbours,
// `collect` for what comes from them.

#include "vertigo/device/combine.cuh"
#include "vertigo/device/engines/hubs.cuh"
#include "vertigo/device/gather.cuh"

namespace vertigo::gpu::detail {

__device__ __forceinline__ std::uint64_t thread() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::uint64_t threads() { return std::uint64_t{gridDim.x} * blockDim.x; }

/// Inclusive sums over the lanes of a warp.
__device__ __forceinline__ unsigned sums_up_to_lane(unsigned value) {
#pragma unroll
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned below = __shfl_up_sync(kAllLanes, value, distance);
    if (lane() >= distance) value += below;
  }
  return value;
}

/// The lists of up to 32 vertices, one per lane (`count` 0: none), visited as one list by the whole
/// warp: lane by lane an edge, whoever's it is. visit(target, owner, valid) is called by all lanes
/// together; `owner` is the lane whose vertex the edge leaves.
template <class Visit>
__device__ __forceinline__ void share_out(const Vertex* targets, EdgeIndex first, unsigned count,
                                          const Visit& visit) {
  const unsigned end = sums_up_to_lane(count);
  const unsigned begin = end - count;
  const unsigned total = __shfl_sync(kAllLanes, end, kWarp - 1);
  for (unsigned round = 0; round < total; round += kWarp) {
    const unsigned at = round + lane();
    // The first lane whose share ends beyond `at`.
    unsigned owner = 0;
#pragma unroll
    for (unsigned half = kWarp / 2; half > 0; half /= 2)
      if (__shfl_sync(kAllLanes, end, owner + half - 1) <= at) owner += half;
    owner &= kWarp - 1;
    const EdgeIndex from = shuffle(first, owner) + (at - __shfl_sync(kAllLanes, begin, owner));
    visit(at < total ? targets[from] : Vertex{0}, owner, at < total);
  }
}

/// Loads in flight per lane while collecting.
inline constexpr unsigned kInFlight = 4;

/// What is collected: combine over the neighbours that have a value to give. A value equal to the
/// identity is no news.
template <class T, class Combine, class Has, class Get>
struct Collection {
  const Vertex* targets;
  Combine combine;
  T identity;
  Has has;  ///< whether a neighbour has a value
  Get get;  ///< the value; asked only where there is one
};
// A function and no deduction guide, which Clang takes for the host's.
template <class T, class Combine, class Has, class Get>
__device__ __forceinline__ Collection<T, Combine, Has, Get> collection(const Vertex* targets,
                                                                       Combine combine, T identity,
                                                                       Has has, Get get) {
  return {targets, combine, identity, has, get};
}

/// The next few neighbours of a list.
struct Handful {
  Vertex neighbours[kInFlight];

  /// Every `lanes`-th edge from `first` on; kNoVertex beyond the end.
  __device__ __forceinline__ static Handful take(const Vertex* targets, EdgeIndex first,
                                                 EdgeIndex end, unsigned lanes = 1) {
    Handful handful;
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i)
      handful.neighbours[i] = first + i * lanes < end ? targets[first + i * lanes] : kNoVertex;
    return handful;
  }
};

/// Of short lists that are waited for: values are read before it is known who has one.
template <class T, class Combine, class Has, class Get>
__device__ __forceinline__ void collect_eagerly(const Collection<T, Combine, Has, Get>& from,
                                                const Handful& handful, T& result) {
  T values[kInFlight];
  bool gives[kInFlight];
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    const bool there = handful.neighbours[i] != kNoVertex;
    values[i] = there ? from.get(handful.neighbours[i]) : from.identity;
    gives[i] = there && from.has(handful.neighbours[i]);
  }
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i)
    if (gives[i]) result = from.combine(result, values[i]);
}

template <class T, class Combine, class Has, class Get>
__device__ __forceinline__ bool collect(const Collection<T, Combine, Has, Get>& from,
                                        const Handful& handful, T& result) {
  bool gives[kInFlight];
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i)
    gives[i] = handful.neighbours[i] != kNoVertex && from.has(handful.neighbours[i]);
  T values[kInFlight];
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i)
    if (gives[i]) values[i] = from.get(handful.neighbours[i]);
  bool news = false;
#pragma unroll
  for (unsigned i = 0; i < kInFlight; ++i) {
    if (!gives[i]) continue;
    result = from.combine(result, values[i]);
    news = news || !(values[i] == from.identity);
  }
  return news;
}

/// Collects over every `lanes`-th edge of a stretch, beginning with number `place`; true where
/// there was news.
template <class T, class Combine, class Has, class Get>
__device__ __forceinline__ bool collect(const Collection<T, Combine, Has, Get>& from,
                                        const Stretch& stretch, unsigned place, unsigned lanes,
                                        T& result) {
  bool news = false;
  for (EdgeIndex e = stretch.begin + place; e < stretch.end; e += kInFlight * lanes)
    news |= collect(from, Handful::take(from.targets, e, stretch.end, lanes), result);
  return news;
}

/// Lists from this length on are collected by the whole warp.
inline constexpr unsigned kCollectByWarp = 16;

/// Collects over the lists of up to 32 vertices, one per lane (an empty stretch: none). Each lane
/// gets the result for its own vertex and whether there was news. The whole warp calls.
template <class T, class Combine, class Has, class Get>
__device__ __forceinline__ bool collect_lists(const Collection<T, Combine, Has, Get>& from,
                                              const Stretch& mine, T& result) {
  result = from.identity;
  bool news = false;
  const bool is_long = mine.end - mine.begin >= kCollectByWarp;
  if (!is_long) news = collect(from, mine, 0, 1, result);
  for (unsigned left = __ballot_sync(kAllLanes, is_long); left != 0; left &= left - 1) {
    const unsigned owner = __ffs(left) - 1;
    T part = from.identity;
    const bool any = collect(from, shuffle(mine, owner), lane(), kWarp, part);
    if (!__any_sync(kAllLanes, any)) continue;
    part = combine_warp(part, from.combine);
    if (lane() == owner) {
      result = part;
      news = true;
    }
  }
  return news;
}

}  // namespace vertigo::gpu::detail
