#pragma once
// The vertices of a kernel, shared out over the grid: `for (Vertex v : listed(frontier))` gives
// every thread its own vertices; `for (Tile t : tiles(frontier))` keeps the threads of a block
// together, so that they can help each other with long edge lists.

#include "vertigo/device/graph.cuh"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/parts.cuh"
#include "vertigo/device/worklist.cuh"

namespace vertigo::gpu {

namespace detail {

/// Positions first, first + stride … below count; 64 bits, so that the last stride cannot wrap.
struct Position {
  std::uint64_t at;
  std::uint64_t stride;
  __device__ __forceinline__ void operator++() { at += stride; }
  __device__ __forceinline__ bool operator!=(std::uint64_t end) const { return at < end; }
};

__device__ __forceinline__ std::uint64_t grid_stride() {
  return std::uint64_t{gridDim.x} * blockDim.x;
}
__device__ __forceinline__ std::uint64_t block_start() {
  return std::uint64_t{blockIdx.x} * blockDim.x;
}

struct AllVertices {
  std::uint64_t first;
  std::uint64_t last;
  struct Iterator : Position {
    __device__ __forceinline__ Vertex operator*() const { return static_cast<Vertex>(at); }
  };
  __device__ __forceinline__ Iterator begin() const {
    return {{first + block_start() + threadIdx.x, grid_stride()}};
  }
  __device__ __forceinline__ std::uint64_t end() const { return last; }
};

struct Listed {
  const Vertex* items;
  std::uint64_t count;
  struct Iterator : Position {
    const Vertex* items;
    __device__ __forceinline__ Vertex operator*() const { return items[at]; }
  };
  __device__ __forceinline__ Iterator begin() const {
    return {{block_start() + threadIdx.x, grid_stride()}, items};
  }
  __device__ __forceinline__ std::uint64_t end() const { return count; }
};

struct Only {
  Vertex vertex;
  std::uint64_t count;
  struct Iterator : Position {
    Vertex vertex;
    __device__ __forceinline__ Vertex operator*() const { return vertex; }
  };
  __device__ __forceinline__ Iterator begin() const {
    return {{block_start() + threadIdx.x, grid_stride()}, vertex};
  }
  __device__ __forceinline__ std::uint64_t end() const { return count; }
};

}  // namespace detail

/// One vertex per thread of a block. The last tile is short: `active` is false where there is none.
struct Tile {
  Vertex vertex;
  bool active;
};

namespace detail {

struct AllTiles {
  std::uint64_t first;
  std::uint64_t last;
  struct Iterator : Position {
    std::uint64_t last;
    __device__ __forceinline__ Tile operator*() const {
      const std::uint64_t i = at + threadIdx.x;
      return {static_cast<Vertex>(i), i < last};
    }
  };
  __device__ __forceinline__ Iterator begin() const {
    return {{first + block_start(), grid_stride()}, last};
  }
  __device__ __forceinline__ std::uint64_t end() const { return last; }
};

// A short list is spread over all blocks, and over the warps of each: few vertices may have many
// edges.
template <bool kUnchanged>  // as long as the kernel runs
struct TilesOfList {
  const Vertex* items;
  std::uint64_t count;
  unsigned blocks;
  unsigned width;  // vertices of a tile
  struct Iterator : Position {
    const Vertex* items;
    std::uint64_t count;
    unsigned width;
    __device__ __forceinline__ Tile operator*() const {
      const unsigned slot =
          width == kBlock ? threadIdx.x : lane() * (kBlock / kWarp) + threadIdx.x / kWarp;
      const std::uint64_t i = at + slot;
      const bool active = slot < width && i < count;
      return {active ? item(i) : kNoVertex, active};
    }
    // Besides, nvcc 13.0 takes the items of a VertexPart for local memory where blocks share lists,
    // unless they are read like this: a run then ended with an illegal address.
    __device__ __forceinline__ Vertex item(std::uint64_t i) const {
      if constexpr (kUnchanged)
        return __ldg(items + i);
      else
        return items[i];
    }
  };
  __device__ __forceinline__ TilesOfList(const Vertex* items, std::uint64_t count, unsigned blocks)
      : items(items),
        count(count),
        blocks(blocks),
        width(count >= std::uint64_t{blocks} * kBlock
                  ? kBlock
                  : static_cast<unsigned>((count + blocks - 1) / blocks)) {}
  __device__ __forceinline__ Iterator begin() const {
    return {
        {std::uint64_t{blockIdx.x} * width, std::uint64_t{blocks} * width}, items, count, width};
  }
  __device__ __forceinline__ std::uint64_t end() const { return count; }
};

using ListedTiles = TilesOfList<false>;
using PartTiles = TilesOfList<true>;

struct OnlyTile {
  Vertex vertex;
  std::uint64_t count;
  struct Iterator : Position {
    Vertex vertex;
    __device__ __forceinline__ Tile operator*() const { return {vertex, at + threadIdx.x == 0}; }
  };
  __device__ __forceinline__ Iterator begin() const {
    return {{block_start(), grid_stride()}, vertex};
  }
  __device__ __forceinline__ std::uint64_t end() const { return count; }
};

}  // namespace detail

template <class Attribute>
__device__ __forceinline__ detail::AllVertices all_vertices(const Graph<Attribute>& graph) {
  return {graph.first, graph.last};
}
__device__ __forceinline__ detail::Listed listed(const Worklist& list) {
  return {list.items, *list.count};
}
__device__ __forceinline__ detail::Listed listed(const VertexList& list) {
  return {list.items, list.count};
}
/// The place of `v` in a parameter, which is ascending; -1 where it is not there.
__device__ __forceinline__ std::int32_t index_in(const VertexList& list, Vertex v) {
  std::uint32_t first = 0;
  for (std::uint32_t end = list.count; first < end;) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (list.items[middle] < v)
      first = middle + 1;
    else
      end = middle;
  }
  return first < list.count && list.items[first] == v ? static_cast<std::int32_t>(first) : -1;
}
/// One vertex; none where `v` is no vertex of the graph.
template <class Attribute>
__device__ __forceinline__ detail::Only only(const Graph<Attribute>& graph, Vertex v) {
  return {v, v < graph.vertex_count ? 1u : 0u};
}
/// The same for whole blocks: every thread of a block runs the same number of rounds.
template <class Attribute>
__device__ __forceinline__ detail::AllTiles tiles(const Graph<Attribute>& graph) {
  return {graph.first, graph.last};
}
__device__ __forceinline__ detail::ListedTiles tiles(const Worklist& list) {
  return {list.items, *list.count, list.blocks != 0 ? list.blocks : gridDim.x};
}
__device__ __forceinline__ detail::ListedTiles tiles(const VertexList& list) {
  return {list.items, list.count, gridDim.x};
}
__device__ __forceinline__ detail::Listed listed(const VertexPart& part) {
  return {part.items, part.count};
}
__device__ __forceinline__ detail::PartTiles tiles(const VertexPart& part) {
  return {part.items, part.count, gridDim.x};
}
template <class Attribute>
__device__ __forceinline__ detail::OnlyTile tile_of(const Graph<Attribute>& graph, Vertex v) {
  return {v, v < graph.vertex_count ? 1u : 0u};
}

}  // namespace vertigo::gpu
