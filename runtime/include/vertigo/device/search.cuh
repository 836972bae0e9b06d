#pragma once
// Reductions over the edges of each vertex that may stop early: the edge function returns false
// once further edges cannot change the result.
//
//   const bool hit = search_auto(in_neighbours(graph), v, active, keep(), Or{}, false,
//       [&](Vertex v, Vertex u, bool& hit) { if (…) { hit = true; return false; } return true; });
//
// Each thread first takes a short look at its own list, because most searches that succeed do so
// there. What is left of long lists goes to the block, of medium ones to a warp; these look at a
// batch of edges, and leave the list together after the batch in which somebody was done. A thread
// goes through its part of a batch to the end, so that the loads of all its edges are on their way
// at once: the function may be called again after it returned false.
//
// What is found does not depend on who searches: with Any it is what comes first in the list. All
// threads of the block must call; the result is the caller's own vertex's.

#include "vertigo/device/gather.cuh"

namespace vertigo::gpu {

namespace detail {

/// Edges that a thread looks at without asking in between. A look of its own takes no more targets
/// than a sector of memory holds.
inline constexpr unsigned kLook = 4;

/// Of Any, whose results depend on who came first.
template <class Combine>
inline constexpr bool kTakesFirst = false;
template <class T>
inline constexpr bool kTakesFirst<Any<T>> = true;

/// What a thread found, and its place in the batch.
template <class T>
struct Found {
  T value;
  unsigned place;
};
struct Earlier {
  template <class T>
  __device__ __forceinline__ Found<T> operator()(const Found<T>& a, const Found<T>& b) const {
    return b.place < a.place ? b : a;
  }
};

template <class Set, class Combine, class T, class Edge>
struct Search {
  Pass<Set> pass;
  const Combine& combine;
  T identity;
  const Edge& edge;

  /// Looks at the edges `at`, `at` + stride … of the list, kLook of them or up to `end`. The number
  /// of the first that ends the search, or kLook.
  template <class Kept>
  __device__ __forceinline__ unsigned look(const EdgeList<Kept>& list, EdgeIndex at,
                                           unsigned stride, EdgeIndex end, T& result) const {
    unsigned last = kLook;
#pragma unroll
    for (unsigned i = 0; i < kLook; ++i) {
      const EdgeIndex e = at + i * stride;
      if (e < end && !Set::visit(pass.adjacency, list.vertex, e, list.kept, edge, result) &&
          last == kLook)
        last = i;
    }
    return last;
  }

  /// Of all threads of a warp or of the block; every one gets the result, and whether it ended the
  /// search. The first batch has an edge for each of them.
  template <unsigned kThreads, class Kept>
  __device__ __forceinline__ T by_all(const EdgeList<Kept>& list, bool& ended) const {
    const unsigned rank = kThreads == kWarp ? lane() : threadIdx.x;
    T result = identity;
    unsigned last = kLook;
    unsigned batch = kThreads;
    ended = false;
#pragma unroll 1
    for (EdgeIndex begin = list.begin; !ended && begin < list.end;) {
      const EdgeIndex end = list.end - begin < batch ? list.end : begin + batch;
      last = look(list, begin + rank, kThreads, end, result);
      ended = someone<kThreads>(last != kLook);
      begin = end;
      batch = kLook * kThreads;
    }
    if constexpr (kTakesFirst<Combine>) {
      const Found<T> mine{result, last == kLook ? ~0u : last * kThreads + rank};
      return all_of<kThreads>(mine, Earlier{}, Found<T>{identity, ~0u}).value;
    } else {
      return all_of<kThreads>(result, combine, identity);
    }
  }

  template <unsigned kThreads>
  __device__ __forceinline__ static bool someone(bool is_done) {
    if constexpr (kThreads == kWarp)
      return __any_sync(kAllLanes, is_done);
    else
      return __syncthreads_or(is_done);
  }
  template <unsigned kThreads, class Value, class Operator>
  __device__ __forceinline__ static Value all_of(const Value& mine, const Operator& combine,
                                                 const Value& identity) {
    if constexpr (kThreads == kWarp)
      return combine_warp(mine, combine);
    else
      return combine_block(mine, combine, identity);
  }

  /// What is left of lists with at least `least` edges, which are emptied. `more`: the caller's
  /// search goes on.
  template <class Kept>
  __device__ __forceinline__ void by_block(EdgeList<Kept>& mine, unsigned least, T& result,
                                           bool& more) const {
    __shared__ LongLists<Kept> lists;
    if (least == kNoList) return;
    const bool is_long = mine.end - mine.begin >= least;
    unsigned place;
    if (!lists.collect(is_long, place)) return;
    for (unsigned turn = 0; turn < lists.size(); ++turn) {
      bool ended;
      const T found = by_all<kBlock>(lists.show(turn, place, mine), ended);
      if (turn != place) continue;
      result = combine_results(result, found, combine);
      more = !ended;
    }
    if (is_long) mine.begin = mine.end;
    __syncthreads();
  }

  template <class Kept>
  __device__ __forceinline__ void by_warp(EdgeList<Kept>& mine, unsigned least, T& result,
                                          bool& more) const {
    if (least == kNoList) return;
    const bool is_medium = mine.end - mine.begin >= least;
    for (unsigned left = __ballot_sync(kAllLanes, is_medium); left != 0; left &= left - 1) {
      const unsigned owner = __ffs(left) - 1;
      bool ended;
      const T found = by_all<kWarp>(shuffle(mine, owner), ended);
      if (lane() != owner) continue;
      result = combine_results(result, found, combine);
      more = !ended;
    }
    if (is_medium) mine.begin = mine.end;
  }

  /// Up to `stop`; a list where the search ended is emptied.
  template <class Kept>
  __device__ __forceinline__ void by_thread(EdgeList<Kept>& mine, EdgeIndex stop, T& result,
                                            bool& more) const {
#pragma unroll 1
    while (mine.begin < stop) {
      more = look(mine, mine.begin, 1, stop, result) == kLook;
      if (!more)
        mine.begin = mine.end;
      else
        mine.begin = stop - mine.begin < kLook ? stop : mine.begin + kLook;
    }
  }
};

/// Lists that are shared from their first edge on.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T search_shared(const Set& edges, Vertex v, bool active,
                                           const Kept& kept, const Combine& combine, T identity,
                                           const Edge& edge, const Sharing& sharing) {
  T result = identity;
  bool more = active;
  for (unsigned i = 0; i < edges.passes; ++i) {
    const Search<Set, Combine, T, Edge> search{{edges, i}, combine, identity, edge};
    auto mine = search.pass.list(v, more, kept);
    search.by_block(mine, sharing.by_block, result, more);
    search.by_warp(mine, sharing.by_warp, result, more);
  }
  return result;
}

/// `sharing(adjacency)`: what is left of which lists goes to a block, and to a warp. The loop of a
/// single thread stands in the code once, for the first look and for what is left at the end.
template <class Set, class Kept, class Combine, class T, class Edge, class SharingOf>
__device__ __forceinline__ T look_then_share(const Set& edges, Vertex v, bool active,
                                             const Kept& kept, const Combine& combine, T identity,
                                             const Edge& edge, const SharingOf& sharing_of) {
  T result = identity;
  bool more = active;
  for (unsigned i = 0; i < edges.passes; ++i) {
    const Search<Set, Combine, T, Edge> search{{edges, i}, combine, identity, edge};
    const Sharing sharing = sharing_of(search.pass.adjacency);
    auto mine = search.pass.list(v, more, kept);
    EdgeIndex stop = mine.end - mine.begin < kLook ? mine.end : mine.begin + kLook;
#pragma unroll 1
    for (bool looked = false;; looked = true) {
      search.by_thread(mine, stop, result, more);
      if (looked) break;
      search.by_block(mine, sharing.by_block, result, more);
      search.by_warp(mine, sharing.by_warp, result, more);
      stop = mine.end;
    }
  }
  return result;
}

}  // namespace detail

template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T search_mixed(const Set& edges, Vertex v, bool active, const Kept& kept,
                                          const Combine& combine, T identity, const Edge& edge) {
  return detail::look_then_share(edges, v, active, kept, combine, identity, edge,
                                 [](const auto&) { return Sharing{}; });
}

/// As mixed; what no list of the graph is long enough for is left out.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T search_auto(const Set& edges, Vertex v, bool active, const Kept& kept,
                                         const Combine& combine, T identity, const Edge& edge) {
  return detail::look_then_share(edges, v, active, kept, combine, identity, edge,
                                 [](const auto& adjacency) { return adjacency.sharing; });
}

/// Every list by a warp.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T search_by_warp(const Set& edges, Vertex v, bool active,
                                            const Kept& kept, const Combine& combine, T identity,
                                            const Edge& edge) {
  return detail::search_shared(edges, v, active, kept, combine, identity, edge,
                               Sharing{.by_block = kNoList, .by_warp = 1});
}

/// Every list by the whole block.
template <class Set, class Kept, class Combine, class T, class Edge>
__device__ __forceinline__ T search_by_block(const Set& edges, Vertex v, bool active,
                                             const Kept& kept, const Combine& combine, T identity,
                                             const Edge& edge) {
  return detail::search_shared(edges, v, active, kept, combine, identity, edge,
                               Sharing{.by_block = 1, .by_warp = kNoList});
}

}  // namespace vertigo::gpu
