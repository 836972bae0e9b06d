#include <algorithm>

#include "../check.h"
#include "each.cuh"
#include "edges.cuh"
#include "search.h"

namespace vertigo::gpu::lists {

namespace {

constexpr const char* kSearch = "search from a vertex";
/// One block: levels follow one another without the host, and what is searched is small.
constexpr unsigned kThreads = 1024;

/// In device memory.
struct Room {
  std::uint32_t* seen;  ///< a bit of each vertex; 0 before
  Vertex* queue;        ///< all that was found, in order
  graph::BoundedSearch* found;
};

/// A longer list is for a warp.
constexpr EdgeIndex kLongList = 64;

class BlockSearch {
 public:
  __device__ BlockSearch(const ListsThere& lists, const Room& room, std::uint32_t* end,
                         unsigned long long* edges)
      : lists_(lists), room_(room), end_(end), edges_(edges) {}

  __device__ void begin_at(Vertex source) {
    if (threadIdx.x == 0) {
      mark(room_.seen, source);
      room_.queue[0] = source;
      *end_ = 1;
      *edges_ = 0;
    }
    __syncthreads();
  }

  /// Adds the lengths of the lists of a level. True where one of them is long.
  __device__ bool add_lengths(std::uint32_t begin, std::uint32_t end) {
    unsigned long long mine = 0;
    bool is_long = false;
    for (std::uint32_t i = begin + threadIdx.x; i < end; i += kThreads) {
      const EdgeIndex length = length_of(room_.queue[i]);
      mine += length;
      is_long |= length > kLongList;
    }
    add_up(mine, edges_);
    return __syncthreads_or(is_long) != 0;
  }

  __device__ void follow_short_lists(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin + threadIdx.x; i < end; i += kThreads) {
      const Vertex v = room_.queue[i];
      if (length_of(v) > kLongList) continue;
      for (EdgeIndex e = lists_.offsets[v]; e < lists_.offsets[v + 1]; ++e) meet(lists_.targets[e]);
    }
  }

  __device__ void follow_long_lists(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin + threadIdx.x / kWarp; i < end; i += kThreads / kWarp) {
      const Vertex v = room_.queue[i];
      if (length_of(v) <= kLongList) continue;
      for (EdgeIndex e = lists_.offsets[v] + lane(); e < lists_.offsets[v + 1]; e += kWarp)
        meet(lists_.targets[e]);
    }
  }

 private:
  __device__ EdgeIndex length_of(Vertex v) const {
    return lists_.offsets[v + 1] - lists_.offsets[v];
  }
  __device__ void meet(Vertex target) {
    if (mark(room_.seen, target)) room_.queue[atomicAdd(end_, 1u)] = target;
  }

  const ListsThere& lists_;
  const Room& room_;
  std::uint32_t* end_;         ///< of the queue, in shared memory
  unsigned long long* edges_;  ///< of the levels so far, in shared memory
};

__global__ void __launch_bounds__(kThreads)
    search_in_block(const ListsThere lists, Vertex source, const graph::SearchBounds bounds,
                    const Room room) {
  __shared__ std::uint32_t end;
  __shared__ unsigned long long edges;
  BlockSearch block(lists, room, &end, &edges);
  graph::BoundedSearch search;
  block.begin_at(source);
  for (std::uint32_t level = 0; search.levels < bounds.levels;) {
    const std::uint32_t level_end = end;
    if (level == level_end) break;
    search.vertices += level_end - level;
    const bool has_long = block.add_lengths(level, level_end);
    if (edges >= bounds.edges) {
      search.ended_early = true;
      break;
    }
    block.follow_short_lists(level, level_end);
    if (has_long) block.follow_long_lists(level, level_end);
    __syncthreads();
    level = level_end;
    ++search.levels;
  }
  if (threadIdx.x == 0) *room.found = search;
}

}  // namespace

graph::BoundedSearch search_within(const ListsThere& lists, Vertex source,
                                   const graph::SearchBounds& bounds, SharedDevice& shared) {
  cudaStream_t const stream = shared.device.stream;
  const auto seen = zeros<std::uint32_t>(std::uint64_t{lists.vertices} / 32 + 1, stream, kSearch);
  // All but the first are found by an edge of a level that is within the bound.
  const std::uint64_t most = std::min({bounds.edges, lists.edges, EdgeIndex{lists.vertices}}) + 1;
  const DeviceArray<Vertex> queue(most, kSearch);
  const DeviceArray<graph::BoundedSearch> found(1, kSearch);
  const Room room{seen.data(), queue.data(), found.data()};
  search_in_block<<<1, kThreads, 0, stream>>>(lists, source, bounds, room);
  check(cudaGetLastError(), kSearch);
  return fetched(found.data(), stream, kSearch);
}

}  // namespace vertigo::gpu::lists
