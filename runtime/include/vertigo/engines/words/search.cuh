#pragma once
// Many searches at once, as sets of bits: Then et al., "The More the Merrier: Efficient
// Multi-Source Graph Traversal", VLDB 2014, here for any body. The whole phase is one cooperative
// launch. Each vertex has a word for the step at hand and one for the next: what it was sent, and,
// once its body has run, what it sends. Bits that a receiver has seen are not sent.
//
// Two searches stand ready, and the graph decides between them: words/wide.cuh for small diameters,
// words/deep.cuh for large ones.

#include "vertigo/core/unsigned_word.h"
#include "vertigo/device/atomics.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/engines/common/edge_condition.cuh"
#include "vertigo/engines/common/visit_lists.cuh"

namespace vertigo::gpu::words {

/// Of a block of the wide search.
inline constexpr unsigned kThreads = 512;

enum Mode : std::uint32_t { kPush, kPull, kLocalMode };

/// The word that holds the bits of a T, as atomic instructions take it.
template <class T>
using Word = typename gpu::detail::AtomicWord<Unsigned<sizeof(T) == 8 ? 8 : 4>>::Type;

/// One direction of the edges that messages travel.
template <class Program, class Attribute>
struct Direction {
  Adjacency<Attribute> along;    ///< from their senders
  Adjacency<Attribute> against;  ///< from their receivers
  Hubs along_hubs;
  Hubs against_hubs;
  const uint4* records;  ///< of edges that pass, where the search is deep
  EdgeCondition<Program, Attribute> condition;
};

/// What a deep search keeps of a vertex, side by side: who looks at one looks at the other, too.
template <class Bits>
struct alignas(4 * sizeof(Bits)) Cell {
  Bits words[2];
  Bits seen;
  Bits unused;
};

inline constexpr unsigned kWordBits = 64;

/// Of one step.
struct Counts {
  unsigned long long sending_edges;   ///< along which its vertices send
  unsigned long long waiting_edges;   ///< where a pull found it: of the vertices that lack bits
  unsigned long long looked_at;       ///< edges, to find its vertices
  unsigned long long carried;         ///< all bits that are sent
  std::uint32_t listed;               ///< vertices in its list
  std::uint32_t active;               ///< deep: of the step before
  std::uint32_t carriers[kWordBits];  ///< of a sample of edges, those that bring each bit
};
/// Steps whose counts take turns: this one, the next, and the one after.
inline constexpr unsigned kStepsCounted = 3;

template <class Program, class Attribute>
struct Search {
  using T = decltype(Program{}.identity());
  static constexpr unsigned kDirections = Program::sends_out + Program::sends_back;

  Program program;
  Vertex vertex_count;
  EdgeIndex edge_count;
  Direction<Program, Attribute> directions[kDirections];
  Worklist asked;        ///< whom the phase starts
  T* seen;               ///< the state that gathers the bits
  Word<T>* words[2];     ///< the first holds what the phase starts with; they take turns
  Cell<Word<T>>* cells;  ///< of a deep search, instead
  Vertex* lists[2];
  Counts* counts;  ///< kStepsCounted
  StepLog log;
  std::uint64_t limit;
};

namespace detail {

using namespace gpu::detail;

__device__ __forceinline__ unsigned or_of_warp(unsigned bits) {
  return __reduce_or_sync(kAllLanes, bits);
}
__device__ __forceinline__ unsigned long long or_of_warp(unsigned long long bits) {
  const unsigned low = __reduce_or_sync(kAllLanes, static_cast<unsigned>(bits));
  const unsigned high = __reduce_or_sync(kAllLanes, static_cast<unsigned>(bits >> 32));
  return static_cast<unsigned long long>(high) << 32 | low;
}
__device__ __forceinline__ unsigned long long sum_of_warp(unsigned long long x) {
#pragma unroll
  for (unsigned step = kWarp / 2; step != 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
  return x;
}

}  // namespace detail
}  // namespace vertigo::gpu::words
