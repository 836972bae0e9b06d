#pragma once
// How many different values every vertex's list has: `distinct` of the language. It is called as
// most_frequent is.

#include "vertigo/device/count_votes.cuh"

namespace vertigo::gpu {

namespace detail {

/// A key counts when its first votes come.
struct FirstVotes {
  using Result = std::uint32_t;
  template <class K>
  __device__ __forceinline__ static Result of(K, std::uint32_t all, std::uint32_t now) {
    return all == now ? 1 : 0;
  }
  __device__ __forceinline__ static Result join(Result a, Result b) { return a + b; }
};

}  // namespace detail

struct Different {
  std::uint32_t count;
};
__device__ __forceinline__ void count_different(const Different& found, std::int64_t& number) {
  number = found.count;
}

/// All threads of the block call, `active` or not.
template <class T, class Set, class Kept, class Edge>
__device__ __forceinline__ Different different_values(const Set& edges, Vertex v, bool active,
                                                      const Kept& kept, const Ballots<T>& ballots,
                                                      const Edge& edge) {
  return {detail::count_votes<detail::FirstVotes>(edges, v, active, kept, ballots, edge)};
}

}  // namespace vertigo::gpu
