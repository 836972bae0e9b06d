#pragma once
// Kernels of the engine `hook` for graphs whose neighbours have ids close together (roads, meshes):
// tiles of consecutive vertices are joined in shared memory first, and only edges that leave a tile
// go through global memory. Every out-edge is looked at once; in-edges are not needed.

#include "vertigo/device/bitmap.cuh"
#include "vertigo/engines/hook/kernels.cuh"

namespace vertigo::gpu::hook {

/// Threads of a block that joins a tile.
inline constexpr unsigned kTileBlock = 1024;
/// Vertices of the largest tile: two blocks fit into an SM, and no size has to be asked for. Tiles
/// of 24,576 are 5% faster on the road network (H200, 2026-11-21).
inline constexpr unsigned kLargestTile = 11 * kTileBlock;

__device__ __forceinline__ Vertex load_shared(const Vertex* slot) {
  return *static_cast<const volatile Vertex*>(slot);
}

/// join() of union_find.cuh in shared memory, where ids count from the tile's first vertex.
__device__ __forceinline__ void join_in_tile(Vertex* parents, Vertex first, Vertex u, Vertex v) {
  Vertex a = load_shared(parents + u);
  Vertex b = load_shared(parents + v);
  while (a != b) {
    const bool b_first = hooks_below(first + b, first + a);
    const Vertex later = b_first ? a : b;
    const Vertex earlier = b_first ? b : a;
    Vertex above = load_shared(parents + later);
    if (above == earlier) return;
    if (above == later) {
      above = atomicCAS(parents + later, later, earlier);
      if (above == later || above == earlier) return;
    }
    a = load_shared(parents + above);
    b = load_shared(parents + earlier);
  }
}

/// Joins the vertices of each tile along the edges inside it that carry labels, one tile per block,
/// and notes in `leaving` who has such edges to elsewhere. With `kEachTwice` every edge stands in
/// both its ends' lists, and is taken from the later one alone. `tile` is a multiple of kTileBlock.
/// Long lists are left to join_long.
template <bool kEachTwice, class Condition, class Lists>
__global__ void __launch_bounds__(kTileBlock)
    join_tiles(const __grid_constant__ Condition condition, const Lists lists, const Vertex count,
               const Storage storage, const Bitmap leaving, const unsigned tile) {
  __shared__ Vertex parents[kLargestTile];
  const Vertex first = blockIdx.x * tile;
  const unsigned size = count - first < tile ? count - first : tile;
  for (unsigned i = threadIdx.x; i < size; i += kTileBlock) parents[i] = i;
  __syncthreads();
  for (unsigned base = 0; base < size; base += kTileBlock) {
    const unsigned i = base + threadIdx.x;
    bool leaves = false;
    if (i < size) {
      const Vertex v = first + i;
      const EdgeIndex begin = lists.offsets[v];
      const EdgeIndex end = lists.offsets[v + 1];
      if (end - begin > kLongList) {
        append(storage.long_lists, v);
      } else {
        for (EdgeIndex e = begin; e < end; ++e) {
          const Vertex u = lists.targets[e];
          if (kEachTwice && u >= v) continue;
          if (!condition.passes(v, u, e)) continue;
          const unsigned place = u - first;  // wraps far beyond the tile where u comes before it
          if (place < size)
            join_in_tile(parents, first, i, place);
          else
            leaves = true;
        }
      }
    }
    const unsigned word = __ballot_sync(kAllLanes, leaves);
    if (lane() == 0 && i < size) leaving.words[(first + i) / 32] = word;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += kTileBlock) {
    Vertex root = load_shared(parents + i);
    for (Vertex above = load_shared(parents + root); above != root;
         above = load_shared(parents + root))
      root = above;
    storage.parents[first + i] = first + root;
  }
}

/// Joins vertices of different tiles.
template <bool kEachTwice, class Condition, class Lists>
__global__ void __launch_bounds__(kBlock)
    join_across(const __grid_constant__ Condition condition, const Lists lists, const Vertex count,
                const Storage storage, const Bitmap leaving, const unsigned tile) {
  const Vertex v = thread_vertex();
  if (v >= count || !test_bit(leaving, v)) return;
  const Vertex first = v / tile * tile;
  const EdgeIndex end = lists.offsets[v + 1];
  for (EdgeIndex e = lists.offsets[v]; e < end; ++e) {
    const Vertex u = lists.targets[e];
    if ((kEachTwice ? u < first : u - first >= tile) && condition.passes(v, u, e))
      join(storage.parents, v, u);
  }
}

}  // namespace vertigo::gpu::hook
