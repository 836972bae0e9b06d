#pragma once
// The most frequent value of every vertex's list, the smallest of several: `mode` of the language.
//
//   const Winner<Vertex> found = most_frequent(both_neighbours_once(graph), v, active, keep(),
//       ballots, [&](Vertex v, Vertex u, Vote<Vertex>& vote) { gpu::vote(vote, label[u]); });

#include "vertigo/device/count_votes.cuh"

namespace vertigo::gpu {

namespace detail {

/// A key and its votes; of two, the one with more votes or the smaller key is better.
template <class K>
struct Count {
  K key{};
  std::uint32_t votes = 0;
};
template <class K>
__device__ __forceinline__ Count<K> better(const Count<K>& a, const Count<K>& b) {
  return b.votes > a.votes || (b.votes == a.votes && b.key < a.key) ? b : a;
}
template <class K>
__device__ __forceinline__ Count<K> best_of_warp(Count<K> count) {
#pragma unroll
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2)
    count = better(count, shuffle(count, lane() ^ distance));
  return count;
}

template <class K>
struct MostVotes {
  using Result = Count<K>;
  __device__ __forceinline__ static Result of(K key, std::uint32_t all, std::uint32_t) {
    return {key, all};
  }
  __device__ __forceinline__ static Result join(const Result& a, const Result& b) {
    return better(a, b);
  }
};

}  // namespace detail

template <class T>
struct Winner {
  detail::Count<detail::Key<T>> count;
};
/// The value with most votes; `winner` stays as it is where nobody voted.
template <class T>
__device__ __forceinline__ void elect(const Winner<T>& found, T& winner) {
  if (found.count.votes > 0) winner = static_cast<T>(found.count.key ^ detail::kSignOf<T>);
}

/// All threads of the block call, `active` or not.
template <class T, class Set, class Kept, class Edge>
__device__ __forceinline__ Winner<T> most_frequent(const Set& edges, Vertex v, bool active,
                                                   const Kept& kept, const Ballots<T>& ballots,
                                                   const Edge& edge) {
  using Tally = detail::MostVotes<detail::Key<T>>;
  return {detail::count_votes<Tally>(edges, v, active, kept, ballots, edge)};
}

}  // namespace vertigo::gpu
