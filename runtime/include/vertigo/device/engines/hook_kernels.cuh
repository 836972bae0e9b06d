#pragma once
// Kernels of the engine `hook`: label propagation along both directions of every edge, as disjoint
// sets. They come in the order in which engines/hook.cuh launches them.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/bitmap.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/union_find.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::hook {

/// Neighbours of v: targets[offsets[v] .. offsets[v + 1]).
template <class Offset>
struct Lists {
  const Offset* offsets = nullptr;
  const Vertex* targets = nullptr;
};

/// What the kernels keep besides the parents.
struct Storage {
  Vertex* parents = nullptr;
  Worklist long_lists;       ///< vertices that are left to whole blocks
  Vertex* giant = nullptr;   ///< a vertex of what is probably the largest component
};

/// Longer lists go to whole blocks.
inline constexpr unsigned kLongList = 64;

__device__ __forceinline__ Vertex thread_vertex() {
  return static_cast<Vertex>(detail::block_start() + threadIdx.x);
}

// ---- Sampling: the first neighbours of every vertex join most of what will be one component.

/// Every vertex is a set of its own, hooked below its first neighbour where that comes earlier.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    plant(const Lists<Offset> lists, const Vertex count, const Storage storage) {
  const Vertex v = thread_vertex();
  if (v >= count) return;
  const Offset begin = lists.offsets[v];
  Vertex parent = v;
  if (begin != lists.offsets[v + 1]) {
    const Vertex first = lists.targets[begin];
    if (hooks_below(first, v)) parent = first;
  }
  storage.parents[v] = parent;
}

__global__ void __launch_bounds__(kBlock)
    plant_alone(const Vertex count, const Storage storage) {
  const Vertex v = thread_vertex();
  if (v < count) storage.parents[v] = v;
}

/// Joins every vertex with its neighbours at places [first, last) of its list.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    sample(const Lists<Offset> lists, const Vertex count, const Storage storage,
           const unsigned first, const unsigned last) {
  const Vertex v = thread_vertex();
  if (v >= count) return;
  const Offset begin = lists.offsets[v];
  const Offset degree = lists.offsets[v + 1] - begin;
  for (Offset place = first; place < last && place < degree; ++place)
    join(storage.parents, v, lists.targets[begin + place]);
}

/// The same for vertices that have too few out-neighbours: their in-neighbours stand in.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    sample_in(const Lists<Offset> out, const Lists<Offset> in, const Vertex count,
              const Storage storage, const unsigned place) {
  const Vertex v = thread_vertex();
  if (v >= count) return;
  const Offset out_begin = out.offsets[v];
  if (out.offsets[v + 1] - out_begin > place)
    return join(storage.parents, v, out.targets[out_begin + place]);
  const Offset begin = in.offsets[v];
  if (in.offsets[v + 1] - begin > place) join(storage.parents, v, in.targets[begin + place]);
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
  const auto spread = std::uint64_t{hooking_place(i * 0x85EBCA6Bu + 1)};
  const auto v = static_cast<Vertex>(spread * count >> 32);
  roots[i] = find_root(storage.parents, v);
  if (i == 0) most = 0;
  __syncthreads();
  unsigned alike = 0;
  for (unsigned k = 0; k < kBlock; ++k) alike += roots[k] == roots[i];
  atomicMax(&most, alike * kBlock + i);
  __syncthreads();
  if (i == 0) *storage.giant = roots[most % kBlock];
}

// ---- The rest: only vertices outside the giant component look at further edges. An edge between it
// and another component is seen from the other side.

template <class Offset>
__device__ __forceinline__ void join_list(const Lists<Offset>& lists, const Storage& storage,
                                          Vertex v, unsigned first) {
  const Offset begin = lists.offsets[v];
  const Offset end = lists.offsets[v + 1];
  if (end - begin <= first) return;
  if (end - begin > kLongList) return append(storage.long_lists, v);
  for (Offset e = begin + first; e < end; ++e) join(storage.parents, v, lists.targets[e]);
}

/// Joins vertices outside the giant component with their neighbours from place `first` on.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    join_rest(const Lists<Offset> lists, const Vertex count, const Storage storage,
              const unsigned first) {
  const Vertex v = thread_vertex();
  if (v >= count || load_cached(storage.parents[v]) == *storage.giant) return;
  join_list(lists, storage, v, first);
}

/// Long lists, a block each.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    join_long(const Lists<Offset> lists, const Storage storage) {
  const std::uint32_t count = *storage.long_lists.count;
  for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const Vertex v = storage.long_lists.items[i];
    const Offset end = lists.offsets[v + 1];
    for (Offset e = lists.offsets[v] + threadIdx.x; e < end; e += kBlock)
      join(storage.parents, v, lists.targets[e]);
  }
}

// ---- The rest without in-edges: all edges are looked at, but only those into vertices outside the
// giant component are followed.

/// Edges that a block looks at.
inline constexpr unsigned kEdgeTile = 16 * kBlock;

/// A bit for every vertex of the giant component.
__global__ void __launch_bounds__(kBlock)
    mark_giant(const Vertex count, const Storage storage, const Bitmap inside) {
  const Vertex v = thread_vertex();
  const bool in = v < count && load_cached(storage.parents[v]) == *storage.giant;
  const unsigned word = __ballot_sync(kAllLanes, in);
  if (lane() == 0 && v < count) inside.words[v / 32] = word;
}

/// The last of lists [first, last] that begins at or before `edge`.
template <class Offset>
__device__ __forceinline__ Vertex list_of(const Offset* offsets, Vertex first, Vertex last,
                                          EdgeIndex edge) {
  while (first < last) {
    const Vertex middle = last - (last - first) / 2;
    if (offsets[middle] <= edge)
      first = middle;
    else
      last = middle - 1;
  }
  return first;
}

/// Joins along the edges into vertices outside the giant component, kEdgeTile edges per block.
template <class Offset>
__global__ void __launch_bounds__(kBlock)
    join_into_rest(const Lists<Offset> lists, const Vertex count, const EdgeIndex edges,
                   const Storage storage, const Bitmap inside) {
  constexpr unsigned kEach = kEdgeTile / kBlock;
  __shared__ Vertex rows[2];
  const EdgeIndex begin = EdgeIndex{blockIdx.x} * kEdgeTile;
  const EdgeIndex end = edges - begin < kEdgeTile ? edges : begin + kEdgeTile;
  if (threadIdx.x < 2)
    rows[threadIdx.x] =
        list_of(lists.offsets, 0, count - 1, threadIdx.x == 0 ? begin : end - 1);
  Vertex targets[kEach];
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k) {
    const EdgeIndex e = begin + k * kBlock + threadIdx.x;
    targets[k] = e < end ? lists.targets[e] : kNoVertex;
  }
  unsigned outside = 0;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k)
    if (targets[k] != kNoVertex &&
        !(load_cached(inside.words[targets[k] / 32]) & detail::bit_of(targets[k])))
      outside |= 1u << k;
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k)
    if (outside >> k & 1)
      join(storage.parents,
           list_of(lists.offsets, rows[0], rows[1], begin + k * kBlock + threadIdx.x),
           targets[k]);
}

// ---- Labels: the best of each component goes to its root, and from there to all its vertices.

/// Where the start says "label = v" for every vertex, the inbox need not be read.
template <class Program>
__device__ __forceinline__ typename Program::Label label_of(const typename Program::Label* inbox,
                                                            Vertex v) {
  if constexpr (Program::kLabelIsVertex)
    return v;
  else
    return inbox[v];
}

/// Flattens the sets and combines the label of every vertex into the state of its root. What goes to
/// the giant component's root is combined by block first.
template <class Program>
__global__ void __launch_bounds__(kBlock)
    combine_labels(const Vertex count, const Storage storage,
                   const typename Program::Label* inbox, typename Program::Label* state,
                   const typename Program::Label identity) {
  using Label = typename Program::Label;
  constexpr typename Program::Combine combine{};
  __shared__ Vertex giant;
  if (threadIdx.x == 0) giant = find_root(storage.parents, *storage.giant);
  __syncthreads();
  Label best = identity;
  for (const Vertex v : detail::AllVertices{count}) {
    const Vertex root = compress(storage.parents, v);
    const Label label = label_of<Program>(inbox, v);
    if (root == giant)
      best = combine(best, label);
    else
      atomic_combine(combine, state + root, label);
  }
  best = detail::combine_block(best, combine, identity);
  if (threadIdx.x == 0) atomic_combine(combine, state + giant, best);
}

template <class Label>
__global__ void __launch_bounds__(kBlock)
    hand_out_labels(const Vertex count, const Storage storage, Label* state) {
  const Vertex v = thread_vertex();
  if (v >= count) return;
  const Vertex root = storage.parents[v];
  if (root != v) state[v] = state[root];
}

}  // namespace vertigo::gpu::hook
