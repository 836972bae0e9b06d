#pragma once
// Phases in which each vertex is active at most once, in the step after its first message: a wave
// that runs over the graph. The whole phase is one cooperative launch. A step either pushes (the
// vertices of the front send; whoever hears its first message joins the next front) or pulls (the
// vertices still waiting look for neighbours in the front), by the number of edges that each would
// visit: Beamer, Asanovic, Patterson, "Direction-optimizing breadth-first search", SC 2012,
// section 5, here for any message and combine operator. Graphs of large diameter have a form of
// their own: wavefront/deep.cuh.

#include "vertigo/device/step_log.cuh"
#include "vertigo/engines/common/deliveries.cuh"
#include "vertigo/engines/common/visit_lists.cuh"

namespace vertigo::gpu::wavefront {

/// One block of every processor: what a barrier costs grows with the blocks.
inline constexpr unsigned kThreads = 1024;

/// Instead of the step in which a vertex was active.
inline constexpr std::int32_t kWaiting = -1;
inline constexpr std::int32_t kNever = -2;
/// It waits, and nobody sends to it: pulls need not look for its messages.
inline constexpr std::int32_t kUnheard = -3;

/// A pushed edge costs as much as so many pulled ones: it needs atomic operations, and many senders
/// share a receiver (H200, rmat 22 17: 5.8 million pushed edges took 0.89 ms, 59 million pulled
/// ones 0.45 ms).
inline constexpr unsigned kPushCost = 12;

enum Mode : std::uint32_t { kPush, kPull, kLocalMode };

/// Vertices that a warp finds before it appends them to the next front's list: one atomic operation
/// serves them all, and thousands of warps share the counter.
inline constexpr unsigned kStaged = 256;

/// The vertices of one step, and the edges that pushing from them, or pulling to them, visits.
struct Front {
  unsigned long long push_edges;
  unsigned long long pull_edges;
  std::uint32_t pulled;    ///< vertices that a pull found
  std::uint32_t listed;    ///< vertices in `order`
  std::uint32_t relisted;  ///< of those that a pull found, in `order`
  std::uint32_t padding;
};

/// A vertex of a front and its edges.
struct alignas(16) Entry {
  EdgeIndex first;
  std::uint32_t edges;  ///< at most kHubEdges
  Vertex vertex;
};

template <class Program, class Attribute>
struct Wave {
  using Message = decltype(Program{}.identity());

  Program program;
  Vertex vertex_count;
  EdgeIndex edge_count;
  Adjacency<Attribute> along;    ///< the edges that messages travel
  Adjacency<Attribute> against;  ///< the same, from their receivers
  Hubs along_hubs;
  Hubs against_hubs;
  Worklist asked;            ///< whom the phase starts; their inboxes hold what they start with
  Inboxes<Program> inboxes;  ///< else the identity
  Message* sent;             ///< by each vertex that was active
  std::int32_t* step;        ///< in which each vertex was active
  Entry* order;              ///< vertices by step
  Bitmap front;              ///< pulls ask it who is in the front; two that take turns
  Bitmap next_front;
  Front* fronts;  ///< three: of this step, the next and the one after
  StepLog log;
  std::uint64_t limit;
};

}  // namespace vertigo::gpu::wavefront
