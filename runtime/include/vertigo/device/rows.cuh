#pragma once
// Reductions over the edges of every vertex of the graph, of what depends on the neighbour and the
// edge alone: nobody has to know whose edge it is. The call is that of gather.cuh:
//
//   const double sum = gather_rows(in_neighbours(graph), v, active, keep(), Sum{}, 0.0,
//       [&](Vertex v, Vertex u, double& sum) { sum += …; return true; });
//
// The threads of a warp bring consecutive vertices, whose rows (lists of edges) lie end to end.
//
//   short rows    the warp reads the edges of many rows side by side and lays what they bring down
//                 in shared memory, from where each thread folds its own row
//   medium rows   a warp each
//   long rows     a block each
//
// In a graph without a list of 16 edges, each thread follows its own row. A kernel that folds a row
// of every vertex, `for (Tile tile : tiles(graph, in_neighbours(graph)))`, then has the next rows
// on their way while it folds these.
//
// Whoever reads edges asks for several before it needs the first. Their targets are read past the
// first-level cache, which is left to the values of the neighbours.
//
// The order of a row's partial results depends on the graph alone, so that floating sums repeat bit
// by bit. All threads of the block must call; the result is the caller's own vertex's. `v` of the
// function is no vertex.

#include "vertigo/device/gather.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

namespace detail {

/// Rows of this many edges and more go to a warp: it then reads with all of its lanes at once.
inline constexpr EdgeIndex kWarpRow = kWarp;
/// And to a block: a warp would be at it for longer than most others at all of theirs.
inline constexpr EdgeIndex kBlockRow = 8 * kBlock;
/// Edges that a thread asks for at a time.
inline constexpr unsigned kTogether = 4;
inline constexpr unsigned kStaged = kTogether * kWarp;

/// What the edges of a warp bring, until their rows' threads fold it. One array for all reductions
/// of a kernel over values of type T.
template <class T>
__device__ __forceinline__ T* warp_stage() {
  __shared__ T values[kBlock / kWarp * kStaged];
  return values + threadIdx.x / kWarp * kStaged;
}

template <class Attribute, bool kAttributes>
__device__ __forceinline__ auto streamed_edge(const EdgeSet<Attribute, kAttributes>&,
                                              const Adjacency<Attribute>& lists, EdgeIndex e) {
  const Vertex target = load_streaming(lists.targets + e);
  if constexpr (kAttributes)
    return EdgeTo<Attribute>{target, attribute(lists, e)};
  else
    return target;
}

/// Once one lane is done, the whole row is.
template <class Combine>
inline constexpr bool kMayEndEarly = __is_same(Combine, Or) || __is_same(Combine, And);

template <class Set, class Combine, class T, class Edge>
struct RowFold {
  const Set& set;
  typename Set::Lists lists;
  const Combine& combine;
  T identity;
  const Edge& edge;

  using Target = decltype(streamed_edge(set, lists, 0));

  __device__ __forceinline__ bool visit(const Target& target, T& result) const {
    if constexpr (requires { target.attribute; })
      return edge(kNoVertex, target.neighbour, target.attribute, result);
    else
      return edge(kNoVertex, target, result);
  }

  /// The thread's edges of the `count` from `first` on, every kThreads-th from its own; at most
  /// kTogether * kThreads in all. False where further edges cannot matter.
  template <unsigned kThreads>
  __device__ __forceinline__ bool fold(EdgeIndex first, unsigned count, unsigned own,
                                       T& result) const {
    Target targets[kTogether];
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i)
      if (i * kThreads + own < count)
        targets[i] = streamed_edge(set, lists, first + (i * kThreads + own));
    bool more = true;
#pragma unroll
    for (unsigned i = 0; i < kTogether; ++i)
      if (i * kThreads + own < count && !visit(targets[i], result)) more = false;
    return more;
  }

  template <unsigned kMost>
  static __device__ __forceinline__ unsigned at_most(EdgeIndex count) {
    return count < kMost ? static_cast<unsigned>(count) : kMost;
  }

  /// A row by all lanes of the warp; every lane gets the result.
  __device__ __forceinline__ T by_warp(EdgeIndex begin, EdgeIndex end) const {
    constexpr unsigned kRound = kTogether * kWarp;
    T result = identity;
#pragma unroll 1
    for (; begin < end; begin += kRound) {
      const bool more = fold<kWarp>(begin, at_most<kRound>(end - begin), lane(), result);
      if constexpr (kMayEndEarly<Combine>)
        if (__any_sync(kAllLanes, !more)) break;
    }
    return combine_warp(result, combine);
  }

  /// The same by all threads of the block.
  __device__ __forceinline__ T by_block(EdgeIndex begin, EdgeIndex end) const {
    constexpr unsigned kRound = kTogether * kBlock;
    T result = identity;
#pragma unroll 1
    for (; begin < end; begin += kRound) {
      const bool more = fold<kBlock>(begin, at_most<kRound>(end - begin), threadIdx.x, result);
      if constexpr (kMayEndEarly<Combine>)
        if (__syncthreads_or(!more)) break;
    }
    return combine_block(result, combine, identity);
  }

  __device__ __forceinline__ void long_rows(const EdgeList<Pack<>>& mine, bool is_long,
                                            T& result) const {
    __shared__ LongLists<Pack<>> rows;
    if (lists.sharing.by_block == kNoList) return;  // no row of the graph is long
    unsigned place;
    if (!rows.collect(is_long, place)) return;
    for (unsigned turn = 0; turn < rows.size(); ++turn) {
      const EdgeList<Pack<>> row = rows.show(turn, place, mine);
      const T found = by_block(row.begin, row.end);
      if (turn == place) result = found;
    }
    __syncthreads();
  }

  /// Edges from … to are those of several rows, end to end. A lane whose row is none of them has
  /// nothing to fold.
  __device__ __forceinline__ void short_rows(EdgeIndex from, EdgeIndex to,
                                             const EdgeList<Pack<>>& mine, T& result) const {
    T* const stage = warp_stage<T>();
#pragma unroll 1
    for (; from < to; from += kStaged) {
      const unsigned count = at_most<kStaged>(to - from);
      Target targets[kTogether];
#pragma unroll
      for (unsigned i = 0; i < kTogether; ++i)
        if (i * kWarp + lane() < count)
          targets[i] = streamed_edge(set, lists, from + (i * kWarp + lane()));
#pragma unroll
      for (unsigned i = 0; i < kTogether; ++i) {
        if (i * kWarp + lane() >= count) continue;
        T brought = identity;
        visit(targets[i], brought);
        stage[i * kWarp + lane()] = brought;
      }
      __syncwarp();
      const unsigned begin = mine.begin > from ? at_most<kStaged>(mine.begin - from) : 0;
      const unsigned end = mine.end > from ? at_most<kStaged>(mine.end - from) : 0;
      for (unsigned place = begin; place < end && place < count; ++place)
        result = combine_results(result, stage[place], combine);
      __syncwarp();
    }
  }

  /// A row by its own thread. What neighbouring threads read lies side by side, so that the
  /// first-level cache is of use.
  __device__ __forceinline__ void alone(const EdgeList<Pack<>>& mine, T& result) const {
#pragma unroll 1
    for (EdgeIndex e = mine.begin; e < mine.end; e += kTogether) {
      Target targets[kTogether];
#pragma unroll
      for (unsigned i = 0; i < kTogether; ++i)
        if (e + i < mine.end) targets[i] = Set::edge(lists, e + i);
      bool more = true;
#pragma unroll
      for (unsigned i = 0; i < kTogether; ++i)
        if (more && e + i < mine.end) more = visit(targets[i], result);
      if (!more) return;
    }
  }

  /// The rows of the warp's first `rows` lanes, which lie end to end. What is long has been folded.
  __device__ __forceinline__ void run(const EdgeList<Pack<>>& mine, unsigned rows,
                                      T& result) const {
    // No row of the graph is worth a warp: the detour through shared memory costs more than it
    // saves.
    if (lists.sharing.by_warp == kNoList) return alone(mine, result);
    const EdgeIndex length = mine.end - mine.begin;
    const bool is_long = length >= kBlockRow && lists.sharing.by_block != kNoList;
    long_rows(mine, is_long, result);
    const unsigned folded = __ballot_sync(kAllLanes, is_long);
    unsigned first = 0;
    for (unsigned wide = __ballot_sync(kAllLanes, length >= kWarpRow);; wide &= wide - 1) {
      const unsigned next =
          wide != 0 ? static_cast<unsigned>(__ffs(static_cast<int>(wide))) - 1 : rows;
      if (first < next)
        short_rows(shuffle(mine.begin, first), shuffle(mine.end, next - 1), mine, result);
      if (wide == 0) break;
      if ((folded >> next & 1) == 0) {
        const T found = by_warp(shuffle(mine.begin, next), shuffle(mine.end, next));
        if (lane() == next) result = found;
      }
      first = next + 1;
    }
  }
};

}  // namespace detail

/// In a loop over the tiles of all vertices: has the row that the thread comes to next on its way
/// from memory, and where the one behind that begins. Rows that a warp or a block reads together
/// are on their way in time.
template <class Attribute, class Set>
__device__ __forceinline__ void read_ahead(const Graph<Attribute>& graph, const Set& rows,
                                           Vertex v) {
  if (rows.first.sharing.by_warp != kNoList) return;
  const std::uint64_t stride = detail::grid_stride();
  const std::uint64_t next = v + stride;
  if (next + stride >= graph.last) return;
  prefetch(rows.first.targets + rows.first.offsets[next]);
  prefetch(rows.first.offsets + next + stride);
}

template <class Set, class Combine, class T, class Edge>
__device__ __forceinline__ T gather_rows(const Set& edges, Vertex v, bool active, const Pack<>&,
                                         const Combine& combine, T identity, const Edge& edge) {
  const auto rows = static_cast<unsigned>(__popc(__ballot_sync(kAllLanes, active)));
  T result = identity;
  for (unsigned i = 0; i < edges.passes; ++i) {
    const detail::Pass<Set> pass(edges, i);
    const detail::RowFold<Set, Combine, T, Edge> fold{edges, pass.adjacency, combine, identity,
                                                      edge};
    T found = identity;
    fold.run(pass.list(v, active, keep()), rows, found);
    result = detail::combine_results(result, found, combine);
  }
  return result;
}

/// Blocks of a kernel over rows. Where some are long, more than the device runs at once: a block
/// whose rows are short makes room for another.
template <class Attribute>
unsigned row_blocks(const Session& session, const Graph<Attribute>& graph) {
  constexpr std::uint64_t kRounds = 8;
  const bool even = graph.out.sharing.by_block == kNoList &&
                    (graph.in.offsets == nullptr || graph.in.sharing.by_block == kNoList);
  if (even) return session.blocks_in_turn();
  const std::uint64_t tiles = (std::uint64_t{session.vertex_count()} + kBlock - 1) / kBlock;
  const std::uint64_t most = kRounds * session.blocks();
  return static_cast<unsigned>(tiles < 1 ? 1 : tiles < most ? tiles : most);
}

}  // namespace vertigo::gpu
