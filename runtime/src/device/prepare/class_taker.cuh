#pragma once
// Hybrid colouring, one class after the other. A class takes every vertex, by rising degree, of
// whose neighbours none has been taken before: that is the first free colour of vertices one by
// one, without the colours that are not asked for. A vertex is out of a class as soon as one
// neighbour of it is in. That is told by a few edges of a hub, for nearly all of its neighbours go
// before it, and many are in.
//
// Threads do not wait for each other between two looks. Of two vertices one goes before, so
// somebody can always be decided, and all blocks run at once: the launch ends.
//
// Races. What a vertex is, is one word, written by the thread or warp that it belongs to. While a
// class is taken, it changes once, from open to what it stays. So it does not matter when it is
// read. All else belongs to one thread or warp; barriers stand between two classes.

#include "coloured_edges.cuh"
#include "vertigo/core/colour_turn.h"
#include "vertigo/device/atomics.cuh"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/watchdog.cuh"

namespace vertigo::gpu::prepare::colouring {

// The low byte of a vertex's word: its class, or one of these. The degree stands above it.
constexpr std::uint32_t kOut = 254;   ///< of the class at hand
constexpr std::uint32_t kOpen = 255;  ///< not decided
constexpr std::uint32_t kMark = 255;  ///< the byte
static_assert(kMostBeforeRest < kOut);

struct HybridWork {
  ColouredGraph graph;
  std::uint32_t most;  ///< classes; or kDerivedColours
  std::uint32_t* words;
  // Vertices of threads, one column each: who is to be decided, and who is out; beside the first
  // of these whom each waits for.
  Vertex* few[2];
  Vertex* watched_by_few;
  // The same of warps' vertices, and how many of their edges need not be looked at again.
  Vertex* many[2];
  Vertex* watched_by_many;
  std::uint32_t* looked_at;
  std::uint32_t* many_count;
  std::uint32_t* connected;  ///< vertices that have edges
  std::uint32_t* sizes;      ///< of classes, counting these
  std::uint32_t* taken;      ///< how many classes there are
};

class ClassTaker {
 public:
  __device__ __forceinline__ explicit ClassTaker(const HybridWork& work) : work_(work) {}

  __device__ __forceinline__ void run() {
    unsigned few = begin_few();    // of this thread
    unsigned many = begin_many();  // of this warp
    DerivedClasses derived(*work_.connected);
    std::uint32_t left = *work_.connected;
    for (bool goes_on = true; goes_on;) {
      take(few, many);
      const std::uint32_t size = load_relaxed(work_.sizes[class_]);
      left -= size;
      const bool is_derived = work_.most == kDerivedColours;
      goes_on = !is_derived || derived.takes(size);
      if (goes_on) ++class_;
      if (left == 0 || (is_derived ? derived.has_enough() : class_ == work_.most)) goes_on = false;
    }
    if (thread() == 0) *work_.taken = class_;
  }

 private:
  enum class Found : std::uint8_t { In, Out, Waits };

  /// Takes a class of those that are to be decided, and leaves those that are out of it.
  __device__ __forceinline__ void take(unsigned& few, unsigned& many) {
    open(few, many);
    grid_sync();
    few_out_ = many_out_ = in_ = 0;
    Watchdog watchdog;
    // A block goes on as one: those who look in vain are not in the way of those who find.
    while (__syncthreads_or(few != 0 || many != 0)) {
      VERTIGO_WAIT(watchdog);
      few = look_at_few(few);
      many = look_at_many(many);
    }
    few = few_out_;
    many = many_out_;
    swapped_ = !swapped_;
    in_ = __reduce_add_sync(kAllLanes, in_);
    if (lane() == 0 && in_ != 0) atomicAdd(&work_.sizes[class_], in_);
    grid_sync();
  }

  __device__ __forceinline__ Vertex* few_open() const { return work_.few[swapped_ ? 1 : 0]; }
  __device__ __forceinline__ Vertex* few_out() const { return work_.few[swapped_ ? 0 : 1]; }
  __device__ __forceinline__ Vertex* many_open() const { return work_.many[swapped_ ? 1 : 0]; }
  __device__ __forceinline__ Vertex* many_out() const { return work_.many[swapped_ ? 0 : 1]; }

  __device__ __forceinline__ unsigned begin_few() const {
    unsigned count = 0;
    for (const Vertex v : gpu::detail::AllVertices{0, work_.graph.vertex_count}) {
      const std::uint64_t degree = degree_of(work_.graph, v);
      if (degree != 0 && degree < kFewEdges) work_.few[0][few_place(count++)] = v;
    }
    return count;
  }

  __device__ __forceinline__ unsigned begin_many() const {
    const std::uint64_t all = *work_.many_count;
    unsigned count = 0;
    while (many_place(count) < all) count += kWarp;
    const std::uint64_t end = count == 0 ? 0 : many_place(count - 1) + 1;
    return end <= all ? count : count - static_cast<unsigned>(end - all);
  }

  __device__ __forceinline__ void mark(Vertex v, std::uint32_t as) const {
    store_relaxed(work_.words[v], (work_.words[v] & ~kMark) | as);
  }

  __device__ __forceinline__ void open(unsigned few, unsigned many) const {
    for (unsigned i = 0; i < few; ++i) {
      mark(few_open()[few_place(i)], kOpen);
      work_.watched_by_few[few_place(i)] = kNobody;
    }
    for (unsigned i = lane(); i < many; i += kWarp) {
      mark(many_open()[many_place(i)], kOpen);
      work_.watched_by_many[many_place(i)] = kNobody;
      work_.looked_at[many_place(i)] = 0;
    }
    __syncwarp();
  }

  /// v cannot be in as long as `watched` may be. One look at this one spares looks at all.
  __device__ __forceinline__ bool is_held(Vertex watched) const {
    return watched != kNobody && (load_relaxed(work_.words[watched]) & kMark) == kOpen;
  }
  __device__ __forceinline__ static bool goes_before(std::uint32_t word_of_u, Vertex u,
                                                     std::uint32_t word_of_v, Vertex v) {
    return hybrid_turn(word_of_u >> 8, u) < hybrid_turn(word_of_v >> 8, v);
  }

  // -- Vertices with few edges: a thread each

  __device__ __forceinline__ unsigned look_at_few(unsigned count) {
    unsigned kept = 0;
    for (unsigned i = 0; i < count; ++i) {
      const Vertex v = few_open()[few_place(i)];
      Vertex watched = work_.watched_by_few[few_place(i)];
      const Found found = is_held(watched) ? Found::Waits : look(v, watched);
      if (found == Found::Waits) {
        few_open()[few_place(kept)] = v;
        work_.watched_by_few[few_place(kept++)] = watched;
      } else if (found == Found::Out) {
        few_out()[few_place(few_out_++)] = v;
        mark(v, kOut);
      } else {
        ++in_;
        mark(v, class_);
      }
    }
    return kept;
  }

  __device__ __forceinline__ Found look(Vertex v, Vertex& watched) const {
    const Edges edges(work_.graph, v);
    const auto degree = static_cast<unsigned>(degree_of(work_.graph, v));
    const std::uint32_t mine = work_.words[v];
    watched = kNobody;
    for (unsigned i = 0; i < degree; ++i) {
      const Vertex u = edges[i];
      const std::uint32_t word = load_relaxed(work_.words[u]);
      if ((word & kMark) == class_) return Found::Out;
      if ((word & kMark) == kOpen && u != v && goes_before(word, u, mine, v)) watched = u;
    }
    return watched == kNobody ? Found::In : Found::Waits;
  }

  // -- Vertices with many edges: a warp each

  __device__ __forceinline__ unsigned look_at_many(unsigned count) {
    unsigned kept = 0;
    for (unsigned first = 0; first < count; first += kWarp) {
      const unsigned i = first + lane();
      Vertex v = kNobody;
      Vertex watched = kNobody;
      std::uint32_t looked_at = 0;
      Found found = Found::Waits;
      if (i < count) {
        v = many_open()[many_place(i)];
        watched = work_.watched_by_many[many_place(i)];
        looked_at = work_.looked_at[many_place(i)];
      }
      const bool is_due = i < count && !is_held(watched);
      for (unsigned due = __ballot_sync(kAllLanes, is_due); due != 0; due &= due - 1) {
        const unsigned whose = __ffs(due) - 1;
        Vertex waits_for = kNobody;
        std::uint32_t at = shuffle(looked_at, whose);
        const Found what = look_together(shuffle(v, whose), at, waits_for);
        if (lane() != whose) continue;
        found = what;
        watched = waits_for;
        looked_at = at;
        if (what == Found::In) ++in_;
        if (what != Found::Waits) mark(v, what == Found::In ? class_ : kOut);
      }
      const bool stays = i < count && found == Found::Waits;
      const unsigned staying = __ballot_sync(kAllLanes, stays);
      const unsigned leaving = __ballot_sync(kAllLanes, i < count && found == Found::Out);
      if (stays) {
        const std::uint64_t place = many_place(kept + __popc(staying & lanes_below()));
        many_open()[place] = v;
        work_.watched_by_many[place] = watched;
        work_.looked_at[place] = looked_at;
      }
      if (i < count && found == Found::Out)
        many_out()[many_place(many_out_ + __popc(leaving & lanes_below()))] = v;
      kept += __popc(staying);
      many_out_ += __popc(leaving);
    }
    __syncwarp();
    return kept;
  }

  /// The same in all lanes. Edges before `looked_at` lead to nobody who matters.
  __device__ __forceinline__ Found look_together(Vertex v, std::uint32_t& looked_at,
                                                 Vertex& watched) const {
    const Edges edges(work_.graph, v);
    const std::uint64_t degree = degree_of(work_.graph, v);
    const std::uint32_t mine = load_relaxed(work_.words[v]);
    for (std::uint64_t first = looked_at; first < degree; first += kWarp) {
      const std::uint64_t i = first + lane();
      const Vertex u = i < degree ? edges[i] : v;
      const std::uint32_t word = load_relaxed(work_.words[u]);
      if (__any_sync(kAllLanes, (word & kMark) == class_)) return Found::Out;
      const unsigned waiting = __ballot_sync(
          kAllLanes, (word & kMark) == kOpen && u != v && goes_before(word, u, mine, v));
      if (waiting == 0) continue;
      looked_at = static_cast<std::uint32_t>(first);
      watched = shuffle(u, __ffs(waiting) - 1);
      return Found::Waits;
    }
    return Found::In;
  }

  const HybridWork& work_;
  std::uint32_t class_ = 0;  ///< the one at hand
  bool swapped_ = false;     ///< the second lists hold who is to be decided
  unsigned few_out_ = 0;
  unsigned many_out_ = 0;
  unsigned in_ = 0;  ///< vertices that this thread found to be in
};

}  // namespace vertigo::gpu::prepare::colouring
