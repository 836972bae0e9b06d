#pragma once
// Vertices to visit, with their number on the device. Lanes that append at the same time share one
// atomic addition.

#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

/// Adds `amount` to a counter for every calling lane and returns where the caller's share begins.
/// The lanes that arrive together elect one that adds for all.
__device__ __forceinline__ std::uint32_t claim(std::uint32_t* counter) {
  const unsigned together = __activemask();
  const unsigned leader = __ffs(together) - 1;
  std::uint32_t base = 0;
  if (lane() == leader) base = atomicAdd(counter, __popc(together));
  return __shfl_sync(together, base, leader) + __popc(together & lanes_below());
}

/// Room for every vertex of the graph; a plan appends none twice between two clears.
struct Worklist {
  Vertex* items = nullptr;
  std::uint32_t* count = nullptr;

  __device__ __forceinline__ std::uint32_t size() const { return *count; }
  __device__ __forceinline__ Vertex operator[](std::uint32_t i) const { return items[i]; }
};

/// Vertices that the user listed, in the user's order; one may stand there twice.
struct VertexList {
  const Vertex* items = nullptr;
  std::uint32_t count = 0;
};

__device__ __forceinline__ void append(const Worklist& list, Vertex v) {
  list.items[claim(list.count)] = v;
}

/// A word that says "something happened"; raising it again costs one read.
struct Flag {
  std::uint32_t* word = nullptr;
};

__device__ __forceinline__ void raise(const Flag& flag) {
  if (load_relaxed(*flag.word) == 0) store_relaxed(*flag.word, 1u);
}

}  // namespace vertigo::gpu
