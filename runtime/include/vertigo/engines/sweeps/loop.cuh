#pragma once
// A loop of sweeps, `for level in a .. b { update v where v.state == level { … } }`, whose compared
// state does not change in the loop and whose messages go from one level to the next. Each vertex
// has its turn once, so that the whole loop is one cooperative launch: when its turn comes, a
// vertex collects its messages from the neighbours of the level before, and nobody writes to
// anybody else.
//
// Where there are many levels, vertices are sorted by level first (counting sort), and warps take
// them in that order: sweeps/ordered.cuh. Where there are few, every level walks all vertices,
// which costs less: sweeps/walk.cuh.

#include "vertigo/device/step_log.cuh"
#include "vertigo/engines/common/deliveries.cuh"
#include "vertigo/engines/common/sent_values.cuh"
#include "vertigo/engines/sweeps/level_order.cuh"

namespace vertigo::gpu::sweeps {

inline constexpr unsigned kThreads = 1024;

/// With more levels than this the vertices are sorted by level.
inline constexpr std::uint32_t kFewLevels = 16;
/// Levels of one launch, at most.
inline constexpr std::uint32_t kMostLevels = 1u << 16;

/// Delivering along an edge costs as much as collecting along so many: the receivers are few and
/// shared, so that atomic operations meet (H200, rmat 22 17: 3.5 million deliveries as float64 and
/// the update of their receivers took 0.25 ms, collecting along 59 million edges 0.78 ms).
inline constexpr unsigned kPushCost = 8;

enum Mode : std::uint32_t { kPull, kPush };

/// Levels in the order of the loop: the i-th is first + i * step.
struct Range {
  std::int64_t first;
  std::int32_t step;         ///< 1 or -1
  std::uint32_t count;       ///< of levels in this launch
  std::uint64_t turns_done;  ///< by launches before this one
};

/// The vertices of a level, the edges along which they send and those from which they collect.
struct Weight {
  unsigned long long vertices;
  unsigned long long sends;
  unsigned long long collects;
};

template <class Program, class Attribute>
struct Loop {
  using Message = decltype(Program{}.identity());

  Program program;
  Vertex vertex_count;
  EdgeIndex edge_count;
  Adjacency<Attribute> along;    ///< the edges that messages travel
  Adjacency<Attribute> against;  ///< the same, from their receivers
  Hubs along_hubs;
  Hubs against_hubs;
  Inboxes<Program> inboxes;  ///< the identity everywhere, unless the program keeps them
  Message* sent;             ///< by each vertex that had its turn
  LevelOrder order;          ///< where there are many levels
  Weight* weights;           ///< kFewLevels
  Bitmap here;               ///< vertices of the level, and of the one before; they take turns
  Bitmap before;
  StepLog log;
};

/// Empties the inbox of v, where the program keeps inboxes; with `collected`.
template <class Program, class Message>
__device__ __forceinline__ Message take_left(const Program& program, Message* inboxes, Vertex v,
                                             const Message& collected) {
  const Message left = inboxes[v];
  inboxes[v] = program.identity();
  return program.combine(left, collected);
}

}  // namespace vertigo::gpu::sweeps
