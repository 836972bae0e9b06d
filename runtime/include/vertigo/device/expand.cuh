#pragma once
// Balanced visits of edge lists. Each thread of a block brings at most one vertex; whoever visits
// an edge is told the vertex and what its thread kept for it:
//
//   expand_mixed(out_edges(graph), v, active, keep(best),
//                [&](Vertex v, Vertex u, int32_t weight, int32_t best) { … });
//
// Long lists go to the whole block, medium ones to a warp, the rest to single threads (SEP-Graph,
// section 4.4.1); or all lists of a block are laid end to end and shared out evenly (by_edge); or
// the graph and the lists at hand decide (auto). All threads of the block must call, `active` or
// not. The edge function may write only what is shared atomically; gather.cuh is for those that
// accumulate.
//
// Loops over edges are not unrolled, here and in gather.cuh, but for those of the block: each
// stands in the code once for the block, the warp and the thread, in a dozen kernels of a program,
// and nvcc's time grows with them (10 to 15% fewer lines of PTX); enough warps are there to wait
// for loads meanwhile.

#include "vertigo/device/edges.cuh"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/pack.cuh"

namespace vertigo::gpu {

namespace detail {

template <class Kept>
struct EdgeList {
  EdgeIndex begin;
  EdgeIndex end;
  Vertex vertex;
  Kept kept;
};

/// The lists of a block that are long enough for all of its threads, one after the other. Only the
/// one being visited is in shared memory: a kernel may have many loops, and an SM has few
/// kilobytes.
template <class Kept>
class LongLists {
 public:
  /// False in all threads where no thread has one; else `place` is the caller's number or kBlock.
  __device__ __forceinline__ bool collect(bool is_long, unsigned& place) {
    place = kBlock;
    if (!__syncthreads_or(is_long)) return false;
    if (threadIdx.x == 0) count_ = 0;
    __syncthreads();
    if (is_long) place = atomicAdd(&count_, 1u);
    __syncthreads();
    return true;
  }
  __device__ __forceinline__ unsigned size() const { return count_; }
  /// Shows list number `turn`, which is the caller's own where `place` says so, to all threads.
  __device__ __forceinline__ EdgeList<Kept> show(unsigned turn, unsigned place,
                                                 const EdgeList<Kept>& mine) {
    if (turn == place) list_ = mine;
    __syncthreads();
    const EdgeList<Kept> shown = list_;
    __syncthreads();
    return shown;
  }

 private:
  unsigned count_;
  EdgeList<Kept> list_;
};

/// The lists of a block's threads, laid end to end.
template <class Kept>
struct LaidOut {
  EdgeIndex starts[kBlock];  // place of the first edge of each
  EdgeIndex begins[kBlock];
  Vertex vertices[kBlock];
  Kept kept[kBlock];
  EdgeIndex warps[kBlock / kWarp];  // edges of each warp's threads

  /// Every thread brings its list; the number of all edges. All threads of the block call.
  __device__ __forceinline__ EdgeIndex lay(const EdgeList<Kept>& mine) {
    const EdgeIndex length = mine.end - mine.begin;
    EdgeIndex before = length;
#pragma unroll
    for (unsigned distance = 1; distance < kWarp; distance *= 2) {
      const EdgeIndex other = shuffle(before, (lane() - distance) & (kWarp - 1));
      if (lane() >= distance) before += other;
    }
    const unsigned warp = threadIdx.x / kWarp;
    if (lane() == kWarp - 1) warps[warp] = before;
    begins[threadIdx.x] = mine.begin;
    vertices[threadIdx.x] = mine.vertex;
    kept[threadIdx.x] = mine.kept;
    __syncthreads();
    EdgeIndex all = 0;
    EdgeIndex of_earlier_warps = 0;
    for (unsigned i = 0; i < kBlock / kWarp; ++i) {
      if (i == warp) of_earlier_warps = all;
      all += warps[i];
    }
    starts[threadIdx.x] = of_earlier_warps + before - length;
    __syncthreads();
    return all;
  }
  /// Whose list has the edge at that place: the last that starts there or before, so that empty
  /// lists are passed over.
  __device__ __forceinline__ unsigned owner(EdgeIndex place) const {
    unsigned first = 0;
#pragma unroll
    for (unsigned step = kBlock / 2; step > 0; step /= 2)
      if (starts[first + step] <= place) first += step;
    return first;
  }
};

/// Edges of a long list whose ends a thread reads before it visits the first of them: where a step
/// visits few vertices, no other warps are there to wait for the loads meanwhile.
inline constexpr unsigned kEdgesAtOnce = 4;

/// What a set gives of an edge. Plain arrays of it stay in registers; a class around one does not.
template <class Set>
using EndOf = decltype(Set::edge(typename Set::Lists{}, EdgeIndex{}));

/// Reads the ends of every kStride-th edge from `first` on, as far as they lie before `end`.
template <class Set, unsigned kStride = kBlock>
__device__ __forceinline__ void read_ends(EndOf<Set> (&ends)[kEdgesAtOnce],
                                          const typename Set::Lists& lists, EdgeIndex first,
                                          EdgeIndex end) {
#pragma unroll
  for (unsigned i = 0; i < kEdgesAtOnce; ++i)
    if (first + i * kStride < end) ends[i] = Set::edge(lists, first + i * kStride);
}

/// The edges of one pass over a set, for the functions below.
template <class Set>
struct Pass {
  decltype(Set::first) adjacency;

  __device__ __forceinline__ Pass(const Set& set, unsigned pass)
      : adjacency(pass == 0 ? set.first : set.second) {}

  template <class Kept>
  __device__ __forceinline__ EdgeList<Kept> list(Vertex v, bool active, const Kept& kept) const {
    if (!active) return {0, 0, v, kept};
    return {adjacency.offsets[v], adjacency.offsets[v + 1], v, kept};
  }

  template <class Kept, class Edge>
  __device__ __forceinline__ void visit(const EdgeList<Kept>& list, EdgeIndex first,
                                        unsigned stride, const Edge& edge) const {
#pragma unroll 1
    for (EdgeIndex e = list.begin + first; e < list.end; e += stride)
      Set::visit(adjacency, list.vertex, e, list.kept, edge);
  }

  /// By all threads of the block.
  template <class Kept, class Edge>
  __device__ __forceinline__ void visit_together(const EdgeList<Kept>& list,
                                                 const Edge& edge) const {
#pragma unroll 1
    for (EdgeIndex e = list.begin + threadIdx.x; e < list.end; e += kEdgesAtOnce * kBlock) {
      EndOf<Set> ends[kEdgesAtOnce];
      read_ends<Set>(ends, adjacency, e, list.end);
#pragma unroll
      for (unsigned i = 0; i < kEdgesAtOnce; ++i)
        if (e + i * kBlock < list.end) Set::apply(ends[i], list.vertex, list.kept, edge);
    }
  }

  /// Visits the lists of at least `least` edges with all threads of the block and empties them. All
  /// threads of the grid bring the same `least`.
  template <class Kept, class Edge>
  __device__ __forceinline__ void visit_by_block(EdgeList<Kept>& mine, unsigned least,
                                                 const Edge& edge) const {
    __shared__ LongLists<Kept> lists;
    if (least == kNoList) return;
    const bool is_long = mine.end - mine.begin >= least;
    unsigned place;
    if (!lists.collect(is_long, place)) return;
    for (unsigned turn = 0; turn < lists.size(); ++turn)
      visit_together(lists.show(turn, place, mine), edge);
    if (is_long) mine.end = mine.begin;
    __syncthreads();
  }

  /// Visits all lists, edge by edge in turn.
  template <class Kept, class Edge>
  __device__ __forceinline__ void visit_by_edge(const EdgeList<Kept>& mine,
                                                const Edge& edge) const {
    __shared__ LaidOut<Kept> lists;
    const EdgeIndex all = lists.lay(mine);
#pragma unroll 1
    for (EdgeIndex place = threadIdx.x; place < all; place += blockDim.x) {
      const unsigned owner = lists.owner(place);
      Set::visit(adjacency, lists.vertices[owner],
                 lists.begins[owner] + (place - lists.starts[owner]), lists.kept[owner], edge);
    }
    __syncthreads();
  }

  /// Visits the lists of at least `least` edges warp by warp and empties them.
  template <class Kept, class Edge>
  __device__ __forceinline__ void visit_by_warp(EdgeList<Kept>& mine, unsigned least,
                                                const Edge& edge) const {
    if (least == kNoList) return;
    const bool is_medium = mine.end - mine.begin >= least;
    for (unsigned left = __ballot_sync(kAllLanes, is_medium); left != 0; left &= left - 1)
      visit(shuffle(mine, __ffs(left) - 1), lane(), kWarp, edge);
    if (is_medium) mine.end = mine.begin;
  }

  /// Visits all lists, none of kBlockList edges or more: those of a warp laid end to end, edge by
  /// edge in turn. No barrier of the block: warps go on when they are done. With `kEven`, lists
  /// that are about as long as each other are left to their threads: that takes hardly more rounds,
  /// and nobody has to look for the owner of an edge.
  template <bool kEven, class Kept, class Edge>
  __device__ __forceinline__ void visit_laid_by_warp(const EdgeList<Kept>& mine,
                                                     const Edge& edge) const {
    const auto length = static_cast<unsigned>(mine.end - mine.begin);
    unsigned after = length;  // edges up to the end of this lane's list
#pragma unroll
    for (unsigned distance = 1; distance < kWarp; distance *= 2) {
      const unsigned other = shuffle(after, (lane() - distance) & (kWarp - 1));
      if (lane() >= distance) after += other;
    }
    const unsigned all = shuffle(after, kWarp - 1);
    const unsigned start = after - length;
    const unsigned laid_rounds = (all + kWarp - 1) / kWarp;
    bool even = false;
    unsigned rounds = laid_rounds;
    if constexpr (kEven) {
      const unsigned longest = __reduce_max_sync(kAllLanes, length);
      even = 2 * longest <= 3 * laid_rounds;
      if (even) rounds = longest;
    }
#pragma unroll 1
    for (unsigned round = 0; round < rounds; ++round) {
      const unsigned place = even ? start + round : round * kWarp + lane();
      unsigned owner = lane();
      if (!even) {
        owner =
            0;  // the first whose list ends behind the place, so that empty ones are passed over
#pragma unroll
        for (unsigned step = kWarp / 2; step > 0; step /= 2)
          if (shuffle(after, owner + step - 1) <= place) owner += step;
      }
      const EdgeIndex e = shuffle(mine.begin - start, owner) + place;
      const Vertex vertex = shuffle(mine.vertex, owner);
      const Kept kept = shuffle(mine.kept, owner);
      if (even ? round < length : place < all) Set::visit(adjacency, vertex, e, kept, edge);
    }
  }
};

/// Long lists by the block, where the graph has any; the rest laid end to end, warp by warp.
template <bool kEven, class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_by_graph(const Set& edges, Vertex v, bool active,
                                                const Kept& kept, const Edge& edge) {
  for (unsigned i = 0; i < edges.passes; ++i) {
    const Pass<Set> pass(edges, i);
    auto mine = pass.list(v, active, kept);
    pass.visit_by_block(mine, pass.adjacency.sharing.by_block, edge);
    pass.template visit_laid_by_warp<kEven>(mine, edge);
  }
}

}  // namespace detail

/// Listed vertices, as the graph decides. To ask whether the lists of a warp are even does not pay
/// here (docs/decisions/balance-by-the-graph.md).
template <class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_auto(const Set& edges, Vertex v, bool active,
                                            const Kept& kept, const Edge& edge) {
  detail::expand_by_graph<false>(edges, v, active, kept, edge);
}

/// All vertices: the same, but even lists by their threads.
template <class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_auto_all(const Set& edges, Vertex v, bool active,
                                                const Kept& kept, const Edge& edge) {
  detail::expand_by_graph<true>(edges, v, active, kept, edge);
}

template <class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_mixed(const Set& edges, Vertex v, bool active,
                                             const Kept& kept, const Edge& edge) {
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Pass<Set> pass(edges, i);
    auto mine = pass.list(v, active, kept);
    pass.visit_by_block(mine, kBlockList, edge);
    pass.visit_by_warp(mine, kWarpList, edge);
    pass.visit(mine, 0, 1, edge);
  }
}

/// Every thread the same number of edges, give or take one.
template <class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_by_edge(const Set& edges, Vertex v, bool active,
                                               const Kept& kept, const Edge& edge) {
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Pass<Set> pass(edges, i);
    pass.visit_by_edge(pass.list(v, active, kept), edge);
  }
}

/// Every list by a warp.
template <class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_by_warp(const Set& edges, Vertex v, bool active,
                                               const Kept& kept, const Edge& edge) {
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Pass<Set> pass(edges, i);
    auto mine = pass.list(v, active, kept);
    pass.visit_by_warp(mine, 1, edge);
  }
}

/// Every list by the whole block.
template <class Set, class Kept, class Edge>
__device__ __forceinline__ void expand_by_block(const Set& edges, Vertex v, bool active,
                                                const Kept& kept, const Edge& edge) {
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Pass<Set> pass(edges, i);
    auto mine = pass.list(v, active, kept);
    pass.visit_by_block(mine, 1, edge);
  }
}

}  // namespace vertigo::gpu
