#pragma once
// A loop of the host level in one launch. Every thread goes through the statements of the program
// with variables of its own, and comes to the same decisions as all others, because they read the
// same results. A generated kernel reads
//
//   enter(loop, start);
//   const auto any_left = [&] {
//     for (const GridPart part : reduction_parts(graph)) reduce_any_left(graph, part, …);
//     return result_of(loop, any_left_result);
//   };
//   const auto run_phase_main = [&] {
//     begin_update(loop, 0);
//     update_left(graph, …);
//     end_update(loop, [&] { swap(b.left, b.left_next); });
//   };
//   while (any_left()) run_phase_main();
//   leave(loop);
//
// A phase of many steps is a loop of steps (step_loop.cuh) between begin_phase() and end_phase().

#include "vertigo/device/rounds.cuh"
#include "vertigo/device/step_loop.cuh"

namespace vertigo::gpu {

// ---- reductions

namespace detail {

struct ReductionParts {
  unsigned count;
  struct Iterator {
    unsigned index;
    unsigned count;
    __device__ __forceinline__ GridPart operator*() const { return {index, count}; }
    __device__ __forceinline__ void operator++() { index += gridDim.x; }
    __device__ __forceinline__ bool operator!=(unsigned end) const { return index < end; }
  };
  __device__ __forceinline__ Iterator begin() const { return {blockIdx.x, count}; }
  __device__ __forceinline__ unsigned end() const { return count; }
};

}  // namespace detail

/// The parts of a reduction that fall to the block: in all as many as the host would launch blocks,
/// so that floating sums are the same. Each block has one at least, so that nobody overwrites a
/// result before all have read it.
template <class Attribute>
__device__ __forceinline__ detail::ReductionParts reduction_parts(const Graph<Attribute>& graph) {
  return {reduction_blocks_for(graph.vertex_count)};
}

/// As many parts as there are blocks, where the result is the same.
__device__ __forceinline__ detail::ReductionParts block_parts() { return {gridDim.x}; }

/// What all parts together came to; all threads call it.
template <class Loop, class T>
__device__ __forceinline__ T result_of(const Loop& loop, const Scalar<T>& scalar) {
  barrier(loop);
  return *scalar.value;
}

// ---- what the host does between kernels, by the whole grid

template <class Attribute>
__device__ __forceinline__ void fill_all(const Graph<Attribute>& graph, const Worklist& list) {
  for (const Vertex v : all_vertices(graph)) list.items[v] = v;
  if (blockIdx.x == 0 && threadIdx.x == 0) *list.count = graph.vertex_count;
}
__device__ __forceinline__ void raise_once(const Flag& flag) {
  if (blockIdx.x == 0 && threadIdx.x == 0) raise(flag);
}

// ---- phases

/// An update of all vertices; all threads call it.
template <class Loop>
__device__ __forceinline__ void begin_update(Loop& loop, unsigned phase) {
  in_each_block([&] {
    loop.current = phase;
    loop.step = 0;
    ++loop.phases[phase].runs;
  });
}

/// Ends it: a barrier, in which `update` runs as barrier() says.
template <class Loop, class Update>
__device__ __forceinline__ void end_update(Loop& loop, const Update& update) {
  barrier(loop, [&] {
    update();
    detail::renew_counters(loop);
  });
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  RoundPhase& phase = loop.phases[loop.current];
  ++phase.totals.steps;
  phase.totals.active_vertices += detail::before(loop.active);
  phase.totals.edges += detail::before(loop.edges);
  phase.totals.modes |= 1u << phase.variant;
}

/// Whether anyone took part in the update that has just ended.
template <class Loop>
__device__ __forceinline__ bool any_took_part(const Loop& loop) {
  return detail::before(loop.active) != 0;
}

/// Before a phase of many steps is made ready; all threads call it. `limit`: most steps.
template <class Loop>
__device__ __forceinline__ void begin_phase(Loop& loop, unsigned phase, std::uint64_t limit) {
  in_each_block([&] {
    RoundPhase& begun = loop.phases[phase];
    loop.controller = begun.controller;
    if (begun.runs++ != 0) loop.controller.begin_again();
    loop.current = phase;
    loop.step = 0;
    loop.last_step = limit;
    loop.visited = 0;
    loop.totals = {};
    loop.change = change_at_begin(loop.controller);
    loop.news = loop.measures = loop.alone = loop.over = false;
    loop.timed = loop.learns();
  });
}

/// When it is ready: the steps begin. `pending`: the word that says whether anything is active.
template <class Loop>
__device__ __forceinline__ void begin_steps(Loop& loop, const std::uint32_t* pending) {
  in_each_block([&] {
    loop.pending_word = pending;
    if (loop.timed) loop.begin_ns = loop.work_begin_ns = global_nanoseconds();
  });
}

/// Whether a limit of steps ended the phase.
template <class Loop>
__device__ __forceinline__ bool was_stopped(const Loop& loop) {
  return loop.totals.end == LoopEnd::StepLimit;
}

/// All threads call it.
template <class Loop>
__device__ __forceinline__ void end_phase(Loop& loop) {
  in_each_block([&] {
    RoundPhase& phase = loop.phases[loop.current];
    phase.controller = loop.controller;
    phase.totals.steps += loop.step;
    phase.totals.active_vertices += loop.totals.active_vertices;
    phase.totals.edges += loop.totals.edges;
    phase.totals.modes |= loop.totals.modes;
  });
}

/// Shows the host where the loop has come to; all threads call it.
template <class Loop>
__device__ __forceinline__ void leave(Loop& loop) {
  __syncthreads();
  if (blockIdx.x == 0) detail::copy_loop<Loop>(loop.shown, &loop);
}

}  // namespace vertigo::gpu
