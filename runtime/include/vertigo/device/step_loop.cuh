#pragma once
// The steps of a phase in one launch: what lies between two of them costs a barrier instead of a
// launch and a look from the host (SEP-Graph, section 5.1.2). A generated kernel reads
//
//   for (enter(loop, start); next_step(loop, graph, kShortSteps);) {
//     switch (loop.variant()) {
//       case 4:
//         relax_push_data(graph, b.asked, …);
//         end_step(loop, b.asked, [&] { swap(b.asked, b.asked_next); renew(b.asked_next); });
//         break;
//
// Every block keeps a copy of the loop in its shared memory and comes to the same decisions from
// the same words, so that one barrier ends a step. While a step visits no more vertices than one
// block has threads, and few edges, block 0 goes on alone, without the others and without the
// grid's barrier; they wait until it shows them where the loop has come to. (It begins at half as
// many, so that a list about that long does not make it begin and end all the time: each costs a
// barrier.)

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/bitmap.cuh"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/loop_state.cuh"
#include "vertigo/device/reduce.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

/// Blocks of such a kernel that an SM must have room for: 64 registers for each thread, below which
/// the parts of a phase spill.
inline constexpr unsigned kStepBlocks = 4;

/// Edges of a step after which one block may run the next one without the others.
inline constexpr unsigned kAloneEdges = 8 * kBlock;

// ---- words that take turns

namespace detail {

template <class Word>
__device__ __forceinline__ Word* turned(Word* word, std::uintptr_t turns) {
  constexpr std::uintptr_t kGroup = kTurns * sizeof(std::uint64_t);
  const auto place = reinterpret_cast<std::uintptr_t>(word);
  const std::uintptr_t group = place & ~(kGroup - 1);
  return reinterpret_cast<Word*>(group | ((place + turns * sizeof(std::uint64_t)) & (kGroup - 1)));
}

// The word after the next is cleared now: who used it, two turns ago, has passed a barrier since,
// and there is another before it is used again.
template <class Word>
__device__ __forceinline__ void renew(Word*& word) {
  word = turned(word, 1);
  if (blockIdx.x == 0) *turned(word, 1) = 0;
}

/// What a counter held before it was renewed.
__device__ __forceinline__ std::uint64_t before(const Counter& counter) {
  return load_relaxed(*turned(counter.total, kTurns - 1));
}

}  // namespace detail

/// Empties a list, lowers a flag or zeroes a counter for what follows, while others may still read
/// what it held: another of its words takes over. By one thread of each block, at most once between
/// two barriers.
__device__ __forceinline__ void renew(Worklist& list) { detail::renew(list.count); }
__device__ __forceinline__ void renew(Flag& flag) { detail::renew(flag.word); }
__device__ __forceinline__ void renew(Counter& counter) { detail::renew(counter.total); }

namespace detail {

__device__ __forceinline__ void renew_counters(StepCounters& counters) {
  gpu::renew(counters.active);
  gpu::renew(counters.edges);
  gpu::renew(counters.out_edges);
  gpu::renew(counters.asked);
  gpu::renew(counters.deferred);
}

}  // namespace detail

// ---- what the host does between kernels, by the whole grid

template <class Attribute>
__device__ __forceinline__ void clear_all(const Graph<Attribute>& graph, const Bitmap& bitmap) {
  const std::uint64_t words = (std::uint64_t{graph.vertex_count} + 31) / 32;
  for (std::uint64_t i = detail::block_start() + threadIdx.x; i < words; i += detail::grid_stride())
    bitmap.words[i] = 0;
}
template <class Attribute>
__device__ __forceinline__ void copy_all(const Graph<Attribute>& graph, const Bitmap& to,
                                         const Bitmap& from) {
  const std::uint64_t words = (std::uint64_t{graph.vertex_count} + 31) / 32;
  for (std::uint64_t i = detail::block_start() + threadIdx.x; i < words; i += detail::grid_stride())
    to.words[i] = from.words[i];
}
template <class Attribute, class T>
__device__ __forceinline__ void copy_all(const Graph<Attribute>& graph, T* to, const T* from) {
  for (const Vertex v : all_vertices(graph)) to[v] = from[v];
}
__device__ __forceinline__ void clear_listed(const Bitmap& bitmap, const Worklist& list) {
  for (const Vertex v : listed(list)) clear_bit(bitmap, v);
}

// ---- the loop

namespace detail {

// Called, not inlined: a loop has two dozen barriers, and nvcc takes a second more where each is
// spelled out.
__device__ __noinline__ inline void wait_for_all(bool alone) {
  if (alone)
    __syncthreads();
  else
    grid_sync();
}

}  // namespace detail

/// All threads of all blocks wait for each other; before they go on, one thread of each block runs
/// `update` on its block's copy of the loop.
template <class Loop, class Update>
__device__ __forceinline__ void barrier(const Loop& loop, const Update& update) {
  __syncthreads();
  if (threadIdx.x == 0) update();
  detail::wait_for_all(loop.alone);
}
template <class Loop>
__device__ __forceinline__ void barrier(const Loop& loop) {
  barrier(loop, [] {});
}

/// One thread of each block runs `update` on its block's copy of the loop.
template <class Update>
__device__ __forceinline__ void in_each_block(const Update& update) {
  __syncthreads();
  if (threadIdx.x == 0) update();
  __syncthreads();
}

namespace detail {

// The loop as 32-bit words, copied by all threads of a block.
template <class Loop>
__device__ __forceinline__ void copy_loop(void* to, const void* from) {
  static_assert(sizeof(Loop) % sizeof(std::uint32_t) == 0);
  const auto* const source = static_cast<const std::uint32_t*>(from);
  auto* const target = static_cast<std::uint32_t*>(to);
  for (unsigned i = threadIdx.x; i < sizeof(Loop) / sizeof(std::uint32_t); i += blockDim.x)
    target[i] = source[i];
}

__device__ __forceinline__ const std::uint32_t* word_of(const Worklist& list) { return list.count; }
__device__ __forceinline__ const std::uint32_t* word_of(const Flag& flag) { return flag.word; }

/// What the step did and what the next one faces; by one thread of each block, after its barrier.
__device__ __noinline__ inline void note_step(LoopState& loop, const Worklist* list) {
  const bool keeps_books = blockIdx.x == 0;
  const bool chooses = loop.controller.control != execute::Control::Fixed;
  loop.list = list == nullptr ? Worklist{} : *list;
  const std::uint64_t pending = load_relaxed(*loop.pending_word);
  loop.visited = before(loop.edges);
  StepRecord record{};
  if (keeps_books || chooses) {
    record.active_vertices = before(loop.active);
    record.edges = loop.visited;
    if (chooses) {
      record.out_edges = loop.controller.path().pull ? before(loop.out_edges) : record.edges;
      loop.frontier.vertices = list == nullptr ? before(loop.asked) : pending;
    }
  }
  if (loop.timed && keeps_books) {
    record.end_ns = global_nanoseconds();
    record.begin_ns = loop.begin_ns;
    loop.begin_ns = record.end_ns;
  }
  loop.pending = pending;
  loop.done.active = record.active_vertices;
  loop.done.out_edges = record.out_edges;
  loop.done.nanoseconds = static_cast<float>(record.end_ns - loop.work_begin_ns);
  loop.work_begin_ns = record.end_ns;
  loop.news = true;
  loop.measures = loop.controller.needs_out_edges(loop.frontier.vertices);
  if (keeps_books) {
    if (loop.learns()) store_relaxed(*loop.nanoseconds, loop.done.nanoseconds);
    const unsigned variant = loop.variant();
    record.mode = variant | static_cast<unsigned>(loop.controller.why) << kWhyShift;
    record.predicted_ns = loop.controller.predicted;
    if (loop.threshold.value != nullptr) {
      record.deferred = before(loop.deferred);
      record.threshold = load_relaxed(*loop.threshold.value);
    }
    loop.totals.active_vertices += record.active_vertices;
    loop.totals.edges += record.edges;
    loop.totals.modes |= 1u << variant;
    if (loop.log.records != nullptr && loop.step < loop.log.capacity)
      loop.log.records[loop.step] = record;
  }
  ++loop.step;
}

/// What comes next; by one thread of each block.
__device__ __noinline__ inline void choose_step(LoopState& loop, unsigned short_steps) {
  if (loop.news) {
    loop.frontier.out_edges = loop.measures ? before(loop.frontier_edges) : 0;
    if (!loop.alone && loop.controller.needs_time(loop.done))
      loop.done.nanoseconds = load_relaxed(*loop.nanoseconds);
    const bool was_list = loop.controller.path().data_driven;
    loop.controller.next(loop.done, loop.frontier);
    const bool is_list = loop.controller.path().data_driven;
    loop.change = was_list == is_list ? Change::None : is_list ? Change::ToList : Change::ToAll;
    loop.news = false;
    loop.measures = false;
  } else {
    loop.pending = load_relaxed(*loop.pending_word);
  }
  loop.totals.steps = loop.step;
  loop.over = loop.pending == 0 || loop.step >= loop.last_step;
  loop.totals.end = loop.pending != 0 && loop.over ? LoopEnd::StepLimit : LoopEnd::Done;
  const unsigned most = loop.alone ? kBlock : kBlock / 2;
  loop.alone = !loop.over && loop.change == Change::None && loop.pending <= most &&
               loop.visited <= kAloneEdges && (short_steps >> loop.variant() & 1) != 0;
}

/// The out-edges of the listed vertices, for the controller.
template <class Attribute>
__device__ __forceinline__ void count_out_edges(LoopState& loop, const Graph<Attribute>& graph) {
  {
    Tally edges(loop.frontier_edges);
    for (const Vertex v : listed(loop.list)) count(edges, out_degree(graph, v));
  }
  barrier(loop, [&] { renew(loop.frontier_edges); });
}

}  // namespace detail

/// Copies the loop into the block's shared memory; all threads call it.
template <class Loop>
__device__ __forceinline__ void enter(Loop& loop, const Loop& start) {
  if (threadIdx.x == 0) {
    loop = start;
    if (loop.timed) loop.begin_ns = loop.work_begin_ns = global_nanoseconds();
  }
  __syncthreads();
}

/// The list, visited by the blocks that run the step.
template <class Loop>
__device__ __forceinline__ Worklist shared_out(Loop& loop, Worklist list) {
  list.blocks = loop.alone ? 1 : gridDim.x;
  list.board = loop.alone || loop.board.donations == nullptr ? nullptr : &loop.board;
  return list;
}

/// Ends a step: a barrier, in which `update` runs as barrier() says; then `pending` tells whether
/// anything is left.
template <class Loop, class Pending, class Update>
__device__ __forceinline__ void end_step(Loop& loop, const Pending& pending, const Update& update) {
  barrier(loop, [&] {
    update();
    detail::renew_counters(loop);
  });
  if (threadIdx.x != 0) return;
  loop.pending_word = detail::word_of(pending);
  if constexpr (detail::kSame<Pending, Worklist>)
    detail::note_step(loop, &pending);
  else
    detail::note_step(loop, nullptr);
}

/// Decides what comes next; all threads call it. False: the loop is over, and its state is where
/// the host looks for it. `short_steps`: bit i says that variant i visits nothing but lists that
/// are no longer than the one that is pending.
template <class Loop, class Attribute>
__device__ __forceinline__ bool next_step(Loop& loop, const Graph<Attribute>& graph,
                                          unsigned short_steps) {
  const bool was_alone = loop.alone;
  __syncthreads();
  const bool measures = loop.measures;
  const bool waits = loop.news && !was_alone && loop.controller.needs_time(loop.done);
  const auto shown = loop.shown;
  __syncthreads();  // all have read what one of them is about to change
  if (measures) detail::count_out_edges(loop, graph);
  if (waits) grid_sync();  // block 0 has told the time
  if (threadIdx.x == 0) detail::choose_step(loop, short_steps);
  __syncthreads();
  if (was_alone && !loop.alone) {
    detail::copy_loop<Loop>(loop.shown, &loop);
    grid_sync();
  } else if (!was_alone && loop.alone) {
    grid_sync();  // all have read the words that block 0 will now change without them
    if (blockIdx.x != 0) {
      grid_sync();
      detail::copy_loop<Loop>(&loop, shown);
      __syncthreads();
    }
  }
  if (!loop.over) return true;
  if (blockIdx.x == 0) detail::copy_loop<Loop>(loop.shown, &loop);
  return false;
}

/// The other kind of path is ready to begin: the time so far was not its own.
template <class Loop>
__device__ __forceinline__ void changed_over(Loop& loop) {
  in_each_block([&] {
    loop.change = Change::None;
    if (loop.learns()) loop.work_begin_ns = global_nanoseconds();
  });
}

}  // namespace vertigo::gpu
