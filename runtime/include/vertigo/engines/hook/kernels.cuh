#pragma once
// Kernels of the engine `hook`, in the order in which device.cuh launches them.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/step_log.cuh"
#include "vertigo/device/union_find.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/engines/common/edge_condition.cuh"

namespace vertigo::gpu::hook {

/// What the kernels keep.
struct Storage {
  Vertex* parents = nullptr;
  Vertex* sampled = nullptr;  ///< a first neighbour of every vertex, then a second; kNoVertex: none
  Vertex* giant = nullptr;    ///< a vertex of what is probably the largest component
  Worklist long_lists;        ///< vertices that are left to whole blocks
  Counter edges;              ///< of long lists, and of the rest after sampling
};

/// Longer lists go to whole blocks.
inline constexpr unsigned kLongList = 64;

/// One thread per vertex, as many blocks as it takes: what a thread waits for is one chain of
/// loads, and new blocks fill the gaps.
__device__ __forceinline__ Vertex thread_vertex() {
  return static_cast<Vertex>(detail::block_start() + threadIdx.x);
}

// ---- Sampling: the first neighbours of every vertex join most of what will be one component.

/// Lists the neighbours that sampling looks at, side by side, and counts them. With `kDirected`, an
/// in-neighbour stands in where a vertex has too few out-neighbours.
template <bool kDirected, class Lists>
__global__ void __launch_bounds__(kBlock)
    list_sampled(const Lists out, const Lists in, const Vertex count, const unsigned places,
                 const Storage storage, const Counter edges) {
  const auto neighbour = [](const Lists& lists, Vertex v, unsigned place) {
    const EdgeIndex edge = lists.offsets[v] + place;
    return edge < lists.offsets[v + 1] ? lists.targets[edge] : kNoVertex;
  };
  unsigned long long sum = 0;
  for (const Vertex v : detail::AllVertices{0, count})
    for (unsigned place = 0; place < places; ++place) {
      Vertex u = neighbour(out, v, place);
      if (kDirected && u == kNoVertex) u = neighbour(in, v, place);
      storage.sampled[std::uint64_t{place} * count + v] = u;
      sum += u != kNoVertex;
    }
  sum = detail::combine_block(sum, Sum{}, 0ull);
  if (threadIdx.x == 0 && sum != 0) atomicAdd(edges.total, sum);
}

/// The same under a condition, which may be another one in the next run: the first neighbours along
/// edges that carry labels, looked for among the first kLongList edges of each list.
template <bool kDirected, class Condition, class Lists>
__global__ void __launch_bounds__(kBlock)
    list_passing(const __grid_constant__ Condition condition, const Lists out, const Lists in,
                 const Vertex count, const unsigned places, const Storage storage,
                 const Counter edges) {
  unsigned long long sum = 0;
  for (const Vertex v : detail::AllVertices{0, count}) {
    unsigned place = 0;
    const auto look = [&](const Lists& lists, const auto& passes) {
      const EdgeIndex begin = lists.offsets[v];
      const EdgeIndex length = lists.offsets[v + 1] - begin;
      const EdgeIndex end = begin + (length < kLongList ? length : kLongList);
      for (EdgeIndex e = begin; e < end && place < places; ++e, ++sum) {
        const Vertex u = lists.targets[e];
        if (passes(u, e)) storage.sampled[std::uint64_t{place++} * count + v] = u;
      }
    };
    look(out, [&](Vertex u, EdgeIndex e) { return condition.passes(v, u, e); });
    if constexpr (kDirected)
      look(in, [&](Vertex u, EdgeIndex e) { return condition.passes_back(v, u, e); });
    for (; place < places; ++place) storage.sampled[std::uint64_t{place} * count + v] = kNoVertex;
  }
  sum = detail::combine_block(sum, Sum{}, 0ull);
  if (threadIdx.x == 0 && sum != 0) atomicAdd(edges.total, sum);
}

__global__ void __launch_bounds__(kBlock) plant(const Vertex count, const Storage storage) {
  const Vertex v = thread_vertex();
  if (v < count) storage.parents[v] = v;
}

/// Joins every vertex with its sampled neighbour of that place.
__global__ void __launch_bounds__(kBlock)
    sample(const Vertex count, const Storage storage, const unsigned place) {
  const Vertex v = thread_vertex();
  if (v >= count) return;
  const Vertex u = load_streaming(storage.sampled + std::uint64_t{place} * count + v);
  if (u != kNoVertex) join(storage.parents, v, u);
}

__global__ void __launch_bounds__(kBlock) flatten(const Vertex count, const Storage storage) {
  const Vertex v = thread_vertex();
  if (v < count) compress(storage.parents, v);
}

/// The most frequent root of kBlock vertices spread over the graph. One block.
__global__ void __launch_bounds__(kBlock) find_giant(const Vertex count, const Storage storage) {
  __shared__ Vertex roots[kBlock];
  __shared__ unsigned most;
  const unsigned i = threadIdx.x;
  const auto v = static_cast<Vertex>(std::uint64_t{hooking_place(i + 1)} * count >> 32);
  roots[i] = find_root(storage.parents, v);
  if (i == 0) most = 0;
  __syncthreads();
  unsigned alike = 0;
  for (unsigned k = 0; k < kBlock; ++k) alike += roots[k] == roots[i];
  atomicMax(&most, alike * kBlock + i);
  __syncthreads();
  if (i == 0) *storage.giant = roots[most % kBlock];
}

// ---- The rest: only vertices outside the giant component look at further edges. An edge between
// it and another component is seen from the other side.

/// Joins vertices outside the giant component with their neighbours from place `first` on, along
/// edges that carry labels; `condition` is asked of `lists`.
template <class Condition, class Lists>
__global__ void __launch_bounds__(kBlock)
    join_rest(const __grid_constant__ Condition condition, const Lists lists, const Vertex count,
              const Storage storage, const unsigned first) {
  const Vertex v = thread_vertex();
  if (v >= count || load_cached(storage.parents[v]) == *storage.giant) return;
  const EdgeIndex begin = lists.offsets[v] + first;
  const EdgeIndex end = lists.offsets[v + 1];
  if (begin >= end) return;
  if (end - begin > kLongList) return append(storage.long_lists, v);
  atomicAdd(storage.edges.total, static_cast<unsigned long long>(end - begin));
  for (EdgeIndex e = begin; e < end; ++e)
    if (condition.passes(v, lists.targets[e], e)) join(storage.parents, v, lists.targets[e]);
}

/// Long lists, a block each.
template <class Condition, class Lists>
__global__ void __launch_bounds__(kBlock) join_long(const __grid_constant__ Condition condition,
                                                    const Lists lists, const Storage storage) {
  const std::uint32_t count = *storage.long_lists.count;
  for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const Vertex v = storage.long_lists.items[i];
    const EdgeIndex begin = lists.offsets[v];
    const EdgeIndex end = lists.offsets[v + 1];
    if (threadIdx.x == 0)
      atomicAdd(storage.edges.total, static_cast<unsigned long long>(end - begin));
    for (EdgeIndex e = begin + threadIdx.x; e < end; e += kBlock)
      if (condition.passes(v, lists.targets[e], e)) join(storage.parents, v, lists.targets[e]);
  }
}

// ---- Labels: the best of each component goes to its root, and from there to all its vertices.

/// Where labels come from: the inboxes that the start has filled, or an operator of the vertex.
template <class Label>
struct FromInbox {
  const Label* inbox;
  __device__ __forceinline__ Label operator()(Vertex v) const { return inbox[v]; }
};
template <class Program>
struct FromVertex {
  Program program;
  __device__ __forceinline__ auto operator()(Vertex v) const { return program.started(v); }
};

/// Who takes labels, how the program combines two, and the same as an atomic operation.
template <class Program>
struct Better {
  Program program;
  __device__ __forceinline__ bool takes([[maybe_unused]] Vertex v) const {
    if constexpr (Program::chooses_vertices)
      return program.takes(v);
    else
      return true;
  }
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    if constexpr (Program::minimizes)
      return program.least(a, b);
    else
      return program.greatest(a, b);
  }
  template <class T>
  __device__ __forceinline__ static bool combine_into(T* slot, T label) {
    if constexpr (Program::minimizes)
      return atomic_combine(Min{}, slot, label);
    else
      return atomic_combine(Max{}, slot, label);
  }
};

/// Flattens the sets and combines the label of every vertex into the state of its root. What goes
/// to the giant component's root is combined by block first.
template <class Program, class Labels, class Label>
__global__ void __launch_bounds__(kBlock)
    combine_labels(const Vertex count, const Storage storage, const Better<Program> better,
                   const Labels labels, Label* state) {
  __shared__ Vertex giant;
  if (threadIdx.x == 0) giant = find_root(storage.parents, *storage.giant);
  __syncthreads();
  Label best = load_relaxed(state[giant]);
  for (const Vertex v : detail::AllVertices{0, count}) {
    const Vertex root = compress(storage.parents, v);
    if (!better.takes(v)) continue;
    const Label label = labels(v);
    if (root == giant)
      best = better(best, label);
    else
      better.combine_into(state + root, label);
  }
  best = detail::combine_block(best, better, best);
  if (threadIdx.x == 0) better.combine_into(state + giant, best);
}

template <class Label>
__global__ void __launch_bounds__(kBlock)
    hand_out_labels(const Vertex count, const Storage storage, Label* state) {
  const Vertex v = thread_vertex();
  if (v >= count) return;
  const Vertex root = storage.parents[v];
  if (root != v) state[v] = state[root];
}

/// Edges that every run by tiles looks at: all but those of long lists, which are counted there.
template <class Lists>
__global__ void __launch_bounds__(kBlock)
    count_short(const Lists lists, const Vertex count, const Counter edges) {
  unsigned long long sum = 0;
  for (const Vertex v : detail::AllVertices{0, count}) {
    const EdgeIndex length = lists.offsets[v + 1] - lists.offsets[v];
    sum += length > kLongList ? 0 : length;
  }
  sum = detail::combine_block(sum, Sum{}, 0ull);
  if (threadIdx.x == 0 && sum != 0) atomicAdd(edges.total, sum);
}

/// When the step begins. One thread.
__global__ void begin_step(const StepLog log) {
  if (log.records != nullptr) log.records[0].begin_ns = global_nanoseconds();
}

/// The one step that the phase takes. One thread.
__global__ void log_step(const StepLog log, const std::uint32_t mode, const Vertex vertices,
                         const Counter sampled, const Counter rest) {
  StepRecord step{};
  if (log.records != nullptr) step.begin_ns = log.records[0].begin_ns;
  step.end_ns = global_nanoseconds();
  step.active_vertices = vertices;
  step.edges = *sampled.total + *rest.total;
  step.mode = mode;
  record(log, 0, step);
}

}  // namespace vertigo::gpu::hook
