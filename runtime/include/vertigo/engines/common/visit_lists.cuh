#pragma once
// How the warps of a persistent kernel walk edge lists: `share_out` for what goes to neighbours,
// `collect` for what comes from them.

#include "vertigo/device/combine.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/engines/common/hubs.cuh"

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

/// combine_warp() without unrolling: what is combined may be long code.
template <class T, class Combine>
__device__ __forceinline__ T combine_lanes(T value, const Combine& combine) {
#pragma unroll 1
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    value = combine(value, shuffle(value, lane() ^ distance));
  return value;
}

/// Collects over the lists of up to 32 vertices, one per lane (an empty stretch: none): in the
/// first round every lane a short list of its own, then all lanes one long list after the other.
/// Each lane gets the result for its own vertex and whether there was news. The whole warp calls.
template <class T, class Combine, class Has, class Get>
__device__ __forceinline__ bool collect_lists(const Collection<T, Combine, Has, Get>& from,
                                              const Stretch& mine, T& result) {
  result = from.identity;
  bool news = false;
  const bool is_long = mine.end - mine.begin >= kCollectByWarp;
  unsigned left = __ballot_sync(kAllLanes, is_long);
  Stretch stretch = is_long ? Stretch{0, 0} : mine;
  unsigned place = 0, lanes = 1, owner = 0;
#pragma unroll 1
  while (true) {
    T part = from.identity;
    const bool any = collect(from, stretch, place, lanes, part);
    if (lanes == 1) {
      result = part;
      news = any;
    } else if (__any_sync(kAllLanes, any)) {
      part = combine_lanes(part, from.combine);
      if (lane() == owner) {
        result = part;
        news = true;
      }
    }
    if (left == 0) return news;
    owner = __ffs(left) - 1;
    left &= left - 1;
    stretch = shuffle(mine, owner);
    place = lane();
    lanes = kWarp;
  }
}

}  // namespace vertigo::gpu::detail
