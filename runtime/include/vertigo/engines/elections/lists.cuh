#pragma once
// What the kernels of an election share: lists, classes of vertices, and how a vertex asks a
// neighbour.

#include "vertigo/engines/elections/poll.cuh"

namespace vertigo::gpu::elections {

/// Longest lists of the fifth class.
inline constexpr unsigned kMedium = 128;
/// The class of lists that no table in shared memory holds for certain.
inline constexpr unsigned kHubs = 7;

template <class K, unsigned kBytes>
inline constexpr unsigned kPlacesIn = gpu::detail::VoteTable<K>::places_in(kBytes);
/// Votes that a table holds where half of its places stay free.
template <class K>
inline constexpr unsigned kMediumRoom = 2 * kMedium * gpu::detail::VoteTable<K>::kPlaceBytes;
inline constexpr unsigned kWarpRoom = 8192;
inline constexpr unsigned kWarpThreads = 128;
template <class K>
inline constexpr unsigned kWarpVotes = kPlacesIn<K, kWarpRoom> / 2;
template <class K>
inline constexpr unsigned kBlockVotes = Ballots<K>::kBlockPlaces / 2;

/// Of a hub's table, so far as the device has shared memory for it and for what the kernel needs
/// besides.
inline constexpr unsigned kHubPlaces = 1u << 13;
inline constexpr unsigned kHubReserved = 2048;
inline constexpr unsigned kHubThreads = 512;

/// kClasses where there are no neighbours.
template <class K>
__device__ __forceinline__ unsigned class_of(EdgeIndex length) {
  if (length == 0) return kClasses;
  if (length <= 32) return length <= 4 ? 0 : length <= 8 ? 1 : length <= 16 ? 2 : 3;
  return length <= kMedium ? 4 : length <= kWarpVotes<K> ? 5 : length <= kBlockVotes<K> ? 6 : kHubs;
}

/// Vertices of some classes. No `items`: every vertex, and the kernel passes over those of other
/// classes.
struct Members {
  const Vertex* items;
  std::uint64_t count;
};

/// The neighbours of a vertex: those of its first list, then those of its second.
struct List {
  Vertex vertex;
  EdgeIndex first;
  EdgeIndex second;
  EdgeIndex in_first;
  EdgeIndex length;
};

template <class K>
__device__ __forceinline__ List list_of(const Poll<K>& poll, Vertex v) {
  List list{v, poll.first.offsets[v], 0, 0, 0};
  list.length = list.in_first = poll.first.offsets[v + 1] - list.first;
  if (poll.second.offsets == nullptr) return list;
  list.second = poll.second.offsets[v];
  list.length += poll.second.offsets[v + 1] - list.second;
  return list;
}

template <class K>
__device__ __forceinline__ Vertex neighbour(const Poll<K>& poll, const List& list,
                                            EdgeIndex place) {
  return place < list.in_first ? __ldg(poll.first.targets + list.first + place)
                               : __ldg(poll.second.targets + list.second + (place - list.in_first));
}

/// False where nobody stands at that place who may vote.
template <class K>
__device__ __forceinline__ bool ask(const Poll<K>& poll, const List& list, EdgeIndex place,
                                    K& key) {
  if (place >= list.length) return false;
  const Vertex u = neighbour(poll, list, place);
  if (poll.skips_itself && u == list.vertex) return false;
  key = load_constant(poll.votes + u);
  return true;
}

template <class K>
__device__ __forceinline__ void announce(const Poll<K>& poll, Vertex v,
                                         const gpu::detail::Count<K>& best) {
  poll.elected[v] = best.votes > 0 ? 1 : 0;
  if (best.votes > 0) poll.winners[v] = best.key;
}

/// Whether the first neighbour of each vertex wins.
template <class K>
__device__ __forceinline__ bool is_settled(const Poll<K>& poll) {
  return poll.is_simple && load_relaxed(*poll.disordered.word) == 0;
}

/// Whether all vertices ask. To find out who need not costs as much as it saves where those who
/// changed have a quarter of the edges.
template <class K>
__device__ __forceinline__ bool asks_all(const Poll<K>& poll) {
  return !poll.is_mutual || 4 * load_relaxed(*poll.changed_edges.total) >= poll.edge_count;
}

}  // namespace vertigo::gpu::elections
