#pragma once
// Greedy colouring by falling degree. Every vertex keeps the range of colours that it may still
// get, and looks again and again at the neighbours that go before it: colours that they have are
// out of the question for it, and those that can no longer meet its range do not matter any more.
// It takes its first free colour as soon as none of the others can get that one, which is long
// before all of them have theirs (Alabandi, Powers, Burtscher: Increasing the parallelism of graph
// coloring via shortcutting, PPoPP 2020). What it gets is what it would get in turn.
//
// Threads do not wait for each other between two looks, so it depends on time how often they look,
// but not what they find. Of two vertices one goes first, so somebody always finds a colour, and
// all blocks run at once: the launch ends.
//
// Races. The range of a vertex is one word, written by the thread or warp that the vertex belongs
// to, and read by others whole. An old range is a wider one, and every colour that its vertex may
// get lies in it. All else belongs to one thread or warp.

#include "coloured_edges.cuh"
#include "vertigo/core/colour_turn.h"
#include "vertigo/device/atomics.cuh"
#include "vertigo/device/watchdog.cuh"

namespace vertigo::gpu::prepare::colouring {

/// From here on a block makes the list.
constexpr std::uint32_t kManyEdges = 1024;

/// Colours that a vertex may get. It has its colour when there is only one.
struct Range {
  std::uint32_t first;
  std::uint32_t last;

  __device__ __forceinline__ bool is_one() const { return first == last; }
  __device__ __forceinline__ bool meets(const Range& other) const {
    return first <= other.last && other.first <= last;
  }
  __device__ __forceinline__ bool holds(std::uint32_t colour) const {
    return first <= colour && colour <= last;
  }
};
static_assert(sizeof(Range) == sizeof(std::uint64_t));

struct Work {
  ColouredGraph graph;
  std::uint32_t* degrees;
  Range* ranges;
  std::uint32_t* free;  ///< of every vertex: colours 0 to 31 that no neighbour before it has
  /// Few edges (a bit for each): bit i: the i-th leads to a vertex that goes before and matters.
  /// Many: how many such vertices stand in `before`.
  std::uint32_t* waits;
  // Of vertices with many edges, from the number of their first edge on:
  Vertex* before;             ///< who goes before them and matters
  std::uint32_t* more;        ///< bits of the colours from 32 on, word by word; free is 1
  Vertex* with_many;          ///< all vertices with many edges
  std::uint32_t* many_count;  ///< of them
  Vertex* with_most;          ///< from kManyEdges on
  std::uint32_t* most_count;  ///< of them
  Vertex* watched_by_many;    ///< beside `with_many`: see is_held()
  Vertex* with_few;           ///< vertices of a thread that have no colour, one column each
  Vertex* watched_by_few;     ///< beside these
};

__device__ __forceinline__ bool goes_before(const Work& work, Vertex u, Vertex v) {
  return u != v && colour_turn(work.degrees[u], u) > colour_turn(work.degrees[v], v);
}

__device__ __forceinline__ void store_range(const Work& work, Vertex v, Range range) {
  store_relaxed(work.ranges[v], range);
}

/// The first colour that is free, and the last that may be needed where `others` may take one each.
__device__ __forceinline__ Range needed(std::uint32_t free, unsigned others) {
  std::uint32_t last = 0;
  for (std::uint32_t left = free; left != 0; left &= left - 1) {
    last = __ffs(left) - 1;
    if (others-- == 0) break;
  }
  return {static_cast<std::uint32_t>(__ffs(free) - 1), last};
}

class Colourer {
 public:
  __device__ __forceinline__ explicit Colourer(const Work& work) : work_(work) {}

  __device__ __forceinline__ void run() {
    unsigned many = begin_many();  // of this warp
    unsigned few = begin_few();    // of this thread
    Watchdog watchdog;
    // A block goes on as one: those who look in vain are not in the way of those who find.
    while (__syncthreads_or(few != 0 || many != 0)) {
      VERTIGO_WAIT(watchdog);
      many = look_at_many(many);
      few = look_at_few(few);
    }
  }

 private:
  /// v cannot get a colour as long as `watched` goes before it and may take its first one. One look
  /// at this one spares looks at all.
  __device__ __forceinline__ bool is_held(Vertex v, Vertex watched) const {
    if (watched == kNobody) return false;
    const Range theirs = load_relaxed(work_.ranges[watched]);
    return !theirs.is_one() && theirs.holds(load_relaxed(work_.ranges[v]).first);
  }

  // -- Vertices with few edges: a thread each

  __device__ __forceinline__ void keep_few(unsigned i, Vertex v, Vertex watched) const {
    work_.with_few[few_place(i)] = v;
    work_.watched_by_few[few_place(i)] = watched;
  }

  __device__ __forceinline__ unsigned begin_few() const {
    unsigned kept = 0;
    for (const Vertex v : gpu::detail::AllVertices{0, work_.graph.vertex_count}) {
      const std::uint32_t degree = work_.degrees[v];
      if (degree >= kFewEdges) continue;
      const Edges edges(work_.graph, v);
      std::uint32_t waits = 0;
      for (std::uint32_t i = 0; i < degree; ++i)
        if (goes_before(work_, edges[i], v)) waits |= 1u << i;
      const unsigned count = __popc(waits);
      const Vertex watched = look(v, edges, waits, (2u << count) - 1);
      if (watched != kNobody) keep_few(kept++, v, watched);
    }
    return kept;
  }

  __device__ __forceinline__ unsigned look_at_few(unsigned count) const {
    unsigned kept = 0;
    for (unsigned i = 0; i < count; ++i) {
      const Vertex v = work_.with_few[few_place(i)];
      Vertex watched = work_.watched_by_few[few_place(i)];
      if (!is_held(v, watched))
        watched = look(v, Edges(work_.graph, v), work_.waits[v], work_.free[v]);
      if (watched != kNobody) keep_few(kept++, v, watched);
    }
    return kept;
  }

  /// Whom v waits for now.
  __device__ __forceinline__ Vertex look(Vertex v, const Edges& edges, std::uint32_t waits,
                                         std::uint32_t free) const {
    Range mine = needed(free, 32);
    std::uint32_t kept = 0;
    std::uint32_t theirs = 0;  // what they may get
    Vertex watched = kNobody;
    for (std::uint32_t left = waits; left != 0; left &= left - 1) {
      const unsigned i = __ffs(left) - 1;
      const Vertex u = edges[i];
      const Range range = load_relaxed(work_.ranges[u]);
      if (range.is_one()) {
        if (range.first < 32) free &= ~(1u << range.first);
      } else if (range.meets(mine)) {
        kept |= 1u << i;
        const std::uint32_t upto = range.last < 31 ? range.last : 31;
        theirs |= (2u << upto) - (1u << range.first);
        watched = u;
      }
    }
    mine = needed(free, __popc(kept));
    if ((theirs >> mine.first & 1) == 0) mine.last = mine.first;
    if (mine.is_one()) {
      store_range(work_, v, mine);
      return kNobody;
    }
    work_.free[v] = free & ((2u << mine.last) - 1);
    work_.waits[v] = kept;
    store_range(work_, v, mine);
    return watched;
  }

  // -- Vertices with many edges: a warp each

  __device__ __forceinline__ unsigned begin_many() const {
    const std::uint64_t all = *work_.many_count;
    unsigned count = 0;
    for (; many_place(count) < all; count += kWarp) {
      if (many_place(count + lane()) >= all) continue;
      const Vertex v = work_.with_many[many_place(count + lane())];
      const std::uint32_t before = work_.waits[v];
      // One colour for each that goes before is the worst case.
      store_range(work_, v, {0, before});
    }
    const std::uint64_t end = count == 0 ? 0 : many_place(count - 1) + 1;
    return end <= all ? count : count - static_cast<unsigned>(end - all);
  }

  __device__ __forceinline__ unsigned look_at_many(unsigned count) const {
    unsigned kept = 0;
    for (unsigned first = 0; first < count; first += kWarp) {
      const unsigned i = first + lane();
      Vertex v = kNobody;
      Vertex watched = kNobody;
      bool waits = i < count;
      bool is_due = false;
      if (waits) {
        v = work_.with_many[many_place(i)];
        watched = work_.watched_by_many[many_place(i)];
        is_due = !is_held(v, watched);
      }
      for (unsigned due = __ballot_sync(kAllLanes, is_due); due != 0; due &= due - 1) {
        const unsigned whose = __ffs(due) - 1;
        const Vertex next = look_together(shuffle(v, whose));
        if (lane() != whose) continue;
        watched = next;
        waits = next != kNobody;
      }
      const unsigned staying = __ballot_sync(kAllLanes, waits);
      __syncwarp();
      if (waits) {
        const std::uint64_t place = many_place(kept + __popc(staying & lanes_below()));
        work_.with_many[place] = v;
        work_.watched_by_many[place] = watched;
      }
      kept += __popc(staying);
    }
    __syncwarp();
    return kept;
  }

  /// Whom v waits for now; the same in all lanes.
  __device__ __forceinline__ Vertex look_together(Vertex v) const {
    const std::uint64_t begin = Edges(work_.graph, v).begin;
    const std::uint32_t count = work_.waits[v];
    const Range mine = load_relaxed(work_.ranges[v]);
    std::uint32_t free = work_.free[v];
    std::uint32_t* const more = work_.more + begin / 32;
    std::uint32_t kept = 0;
    std::uint32_t least = ~0u;  // of what they may get
    bool first_is_theirs = false;
    Vertex watched = kNobody;
    for (std::uint32_t first = 0; first < count; first += kWarp) {
      const std::uint32_t i = first + lane();
      Vertex u = kNobody;
      bool stays = false;
      if (i < count) {
        u = work_.before[begin + i];
        const Range range = load_relaxed(work_.ranges[u]);
        if (range.is_one()) {
          if (range.first < 32) {
            free &= ~(1u << range.first);
          } else if (range.first <= mine.last) {
            atomicAnd(more + range.first / 32, ~(1u << range.first % 32));
          }
        } else if (range.meets(mine)) {
          stays = true;
          least = range.first < least ? range.first : least;
          first_is_theirs |= range.holds(mine.first);
          watched = u;
        }
      }
      const unsigned staying = __ballot_sync(kAllLanes, stays);
      const std::uint32_t place = kept + __popc(staying & lanes_below());
      if (stays && place != i) work_.before[begin + place] = u;
      kept += __popc(staying);
    }
    __syncwarp();  // bits of `more` are read by other lanes
    free = __reduce_and_sync(kAllLanes, free);
    least = __reduce_min_sync(kAllLanes, least);
    first_is_theirs = __any_sync(kAllLanes, first_is_theirs);
    const unsigned watching = __ballot_sync(kAllLanes, watched != kNobody);
    const std::uint32_t first = first_free(free, more, mine);
    const bool is_found = kept == 0 || first < least || (first == mine.first && !first_is_theirs);
    if (lane() == 0) {
      work_.free[v] = free;
      work_.waits[v] = kept;
      store_range(work_, v, {first, is_found ? first : mine.last});
    }
    __syncwarp();
    return is_found ? kNobody : shuffle(watched, 31 - __clz(watching));
  }

  __device__ __forceinline__ static std::uint32_t first_free(std::uint32_t free,
                                                             const std::uint32_t* more,
                                                             const Range& mine) {
    if (free != 0) return __ffs(free) - 1;
    for (std::uint32_t word = mine.first < 32 ? 1 : mine.first / 32;; word += kWarp) {
      const std::uint32_t at = word + lane();
      const std::uint32_t bits = at <= mine.last / 32 ? load_relaxed(more[at]) : 0;
      const unsigned found = __ballot_sync(kAllLanes, bits != 0);
      if (found == 0) continue;
      const unsigned whose = __ffs(found) - 1;
      return (word + whose) * 32 + shuffle(__ffs(bits) - 1, whose);
    }
  }

  const Work& work_;
};

}  // namespace vertigo::gpu::prepare::colouring
