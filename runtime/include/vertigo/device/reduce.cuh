#pragma once
// Reductions over all threads of a kernel into one value on the device. Blocks leave partial
// results and the last one adds them up in the order of block numbers; kernels that reduce are
// launched with a grid that depends on the number of vertices alone, so that floating sums repeat
// bit by bit. In a loop of the host level that is one launch, a block does the parts of several.

#include "vertigo/device/gather.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

/// One of the parts that a reduction is cut into: what one block of its launch does.
struct GridPart {
  unsigned index;
  unsigned count;  ///< of all parts
};

/// The part of a block where each has one.
__device__ __forceinline__ GridPart whole_grid() { return {blockIdx.x, gridDim.x}; }

namespace detail {

/// As AllVertices and AllTiles, of a launch of as many blocks as there are parts.
struct VerticesOfPart {
  std::uint64_t first;
  std::uint64_t last;
  unsigned part;
  unsigned parts;
  __device__ __forceinline__ AllVertices::Iterator begin() const {
    return {{first + std::uint64_t{part} * blockDim.x + threadIdx.x,
             std::uint64_t{parts} * blockDim.x}};
  }
  __device__ __forceinline__ std::uint64_t end() const { return last; }
};
struct ListedOfPart {
  const Vertex* items;
  std::uint64_t count;
  unsigned part;
  unsigned parts;
  __device__ __forceinline__ Listed::Iterator begin() const {
    return {{std::uint64_t{part} * blockDim.x + threadIdx.x, std::uint64_t{parts} * blockDim.x},
            items};
  }
  __device__ __forceinline__ std::uint64_t end() const { return count; }
};
struct TilesOfPart {
  std::uint64_t first;
  std::uint64_t last;
  unsigned part;
  unsigned parts;
  __device__ __forceinline__ AllTiles::Iterator begin() const {
    return {{first + std::uint64_t{part} * blockDim.x, std::uint64_t{parts} * blockDim.x}, last};
  }
  __device__ __forceinline__ std::uint64_t end() const { return last; }
};

/// *result.value = what every thread of every part brings. All threads of the block call it.
template <class Combine, class T>
__device__ __forceinline__ void reduce_grid(const Scalar<T>& result, T mine, const Combine& combine,
                                            T identity, const GridPart& part) {
  __shared__ bool is_last;
  const T block = combine_block(mine, combine, identity);
  if (threadIdx.x == 0) {
    result.partials[part.index] = block;
    __threadfence();
    is_last = atomicAdd(result.blocks_done, 1u) == part.count - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  T total = identity;
  for (unsigned i = threadIdx.x; i < part.count; i += blockDim.x)
    total = combine(total, result.partials[i]);
  total = combine_block(total, combine, identity);
  if (threadIdx.x == 0) {
    *result.value = total;
    *result.blocks_done = 0;
  }
}

}  // namespace detail

/// What a thread adds to a reduction. It is declared before a kernel's loop, outside any branch,
/// and is handed in at the end of the kernel.
template <class T, class Combine>
class Reduction {
 public:
  __device__ __forceinline__ Reduction(const Scalar<T>& result, const Combine& combine, T identity,
                                       const GridPart& part = whole_grid())
      : result_(result), combine_(combine), identity_(identity), part_(part), mine_(identity) {}
  __device__ __forceinline__ ~Reduction() {
    detail::reduce_grid(result_, mine_, combine_, identity_, part_);
  }
  Reduction(const Reduction&) = delete;

  __device__ __forceinline__ void add(T value) { mine_ = combine_(mine_, value); }

 private:
  const Scalar<T>& result_;
  Combine combine_;
  T identity_;
  GridPart part_;
  T mine_;
};

/// The vertices of a part of a reduction, for each thread of the block.
template <class Attribute>
__device__ __forceinline__ detail::VerticesOfPart all_vertices(const Graph<Attribute>& graph,
                                                               const GridPart& part) {
  return {graph.first, graph.last, part.index, part.count};
}
template <class Attribute>
__device__ __forceinline__ detail::TilesOfPart tiles(const Graph<Attribute>& graph,
                                                     const GridPart& part) {
  return {graph.first, graph.last, part.index, part.count};
}
__device__ __forceinline__ detail::ListedOfPart listed(const Worklist& list, const GridPart& part) {
  return {list.items, *list.count, part.index, part.count};
}
/// Of one vertex: it belongs to the first part.
template <class Attribute>
__device__ __forceinline__ detail::VerticesOfPart only(const Graph<Attribute>& graph, Vertex v,
                                                       const GridPart& part) {
  return {v, v < graph.vertex_count ? std::uint64_t{v} + 1 : v, part.index, part.count};
}
template <class Attribute>
__device__ __forceinline__ detail::TilesOfPart tile_of(const Graph<Attribute>& graph, Vertex v,
                                                       const GridPart& part) {
  return {v, v < graph.vertex_count ? std::uint64_t{v} + 1 : v, part.index, part.count};
}

/// What a thread counts; handed in at the end of the kernel, one atomic addition per warp.
class Tally {
 public:
  __device__ __forceinline__ explicit Tally(const Counter& counter) : counter_(counter) {}
  __device__ __forceinline__ ~Tally() {
    const auto all = detail::combine_warp(mine_, Sum{});
    if (lane() == 0 && all != 0) atomicAdd(counter_.total, all);
  }
  Tally(const Tally&) = delete;

  __device__ __forceinline__ void add(unsigned long long n) { mine_ += n; }

 private:
  const Counter& counter_;
  unsigned long long mine_ = 0;
};

__device__ __forceinline__ void count(Tally& tally, unsigned long long n) { tally.add(n); }

}  // namespace vertigo::gpu
