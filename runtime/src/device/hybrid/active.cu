#include "active.h"
#include "vertigo/device/bitmap.cuh"

namespace vertigo::gpu::hybrid {

namespace {

/// So many partitions, or tasks, are counted in a block's shared memory; more, in global memory at
/// once: they do not get into each other's way there.
constexpr std::uint32_t kShared = 1024;

__device__ __forceinline__ std::uint64_t first_place() {
  return std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::uint64_t stride() { return std::uint64_t{gridDim.x} * blockDim.x; }

__device__ __forceinline__ std::uint32_t partition_of(const PartitionTable& table, Vertex v) {
  std::uint32_t below = 0;
  std::uint32_t above = table.count;
  while (above - below > 1) {
    const std::uint32_t middle = (below + above) / 2;
    (table.begins[middle] <= v ? below : above) = middle;
  }
  return below;
}

/// Lines that edges begin .. end-1 touch.
__device__ __forceinline__ EdgeIndex lines_of(EdgeIndex begin, EdgeIndex end) {
  constexpr EdgeIndex kPerLine = kLineBytes / sizeof(Vertex);
  return begin == end ? 0 : (end - 1) / kPerLine - begin / kPerLine + 1;
}

__device__ __forceinline__ Activity activity_of(const Offsets& offsets, Vertex v) {
  const auto of = [v](const EdgeIndex* lists) {
    const EdgeIndex begin = lists[v];
    const EdgeIndex end = lists[v + 1];
    return Activity{1, end - begin, lines_of(begin, end)};
  };
  Activity activity = of(offsets.out);
  if (offsets.in != nullptr) {
    const Activity in = of(offsets.in);
    activity.edges += in.edges;
    activity.lines += in.lines;
  }
  return activity;
}

/// A sum of 64 bits in two words: atomics of shared memory are quick at 32 bits alone.
struct WideCount {
  unsigned low;
  unsigned high;
  __device__ __forceinline__ void add(std::uint64_t value) {
    const auto part = static_cast<unsigned>(value);
    const unsigned before = atomicAdd(&low, part);
    const auto carry = static_cast<unsigned>(value >> 32) + (before + part < before ? 1u : 0u);
    if (carry != 0) atomicAdd(&high, carry);
  }
  __device__ __forceinline__ unsigned long long value() const {
    return static_cast<unsigned long long>(high) << 32 | low;
  }
};
struct ActivityOfBlock {
  unsigned vertices;
  WideCount edges;
  WideCount lines;
};

__global__ void measure_in_shared(Worklist list, PartitionTable table, Offsets offsets,
                                  Activity* activity) {
  __shared__ ActivityOfBlock of_block[kShared];
  for (std::uint32_t i = threadIdx.x; i < table.count; i += blockDim.x)
    of_block[i] = ActivityOfBlock{};
  __syncthreads();
  for (std::uint64_t i = first_place(); i < *list.count; i += stride()) {
    const Vertex v = list.items[i];
    const Activity mine = activity_of(offsets, v);
    ActivityOfBlock& to = of_block[partition_of(table, v)];
    atomicAdd(&to.vertices, 1u);
    to.edges.add(mine.edges);
    to.lines.add(mine.lines);
  }
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < table.count; i += blockDim.x) {
    const ActivityOfBlock& mine = of_block[i];
    if (mine.vertices == 0) continue;
    atomicAdd(&activity[i].vertices, static_cast<unsigned long long>(mine.vertices));
    atomicAdd(&activity[i].edges, mine.edges.value());
    atomicAdd(&activity[i].lines, mine.lines.value());
  }
}

__global__ void measure(Worklist list, PartitionTable table, Offsets offsets, Activity* activity) {
  for (std::uint64_t i = first_place(); i < *list.count; i += stride()) {
    const Vertex v = list.items[i];
    const Activity mine = activity_of(offsets, v);
    Activity& to = activity[partition_of(table, v)];
    atomicAdd(&to.vertices, mine.vertices);
    atomicAdd(&to.edges, mine.edges);
    atomicAdd(&to.lines, mine.lines);
  }
}

/// Vertices that a thread sorts at a time.
constexpr unsigned kPerThread = 8;

/// A block counts the vertices of its tile by task, takes places for all of them at once, and
/// writes them there.
__global__ void sort_tiles(Worklist list, PartitionTable table, const std::uint32_t* task_of,
                           std::uint32_t tasks, std::uint32_t* cursors, Vertex* sorted) {
  __shared__ std::uint32_t counts[kShared];
  const std::uint64_t tile = std::uint64_t{blockDim.x} * kPerThread;
  for (std::uint64_t begin = blockIdx.x * tile; begin < *list.count; begin += gridDim.x * tile) {
    for (std::uint32_t t = threadIdx.x; t < tasks; t += blockDim.x) counts[t] = 0;
    __syncthreads();
    Vertex vertices[kPerThread];
    std::uint32_t of[kPerThread];
    std::uint32_t before[kPerThread];
#pragma unroll
    for (unsigned k = 0; k < kPerThread; ++k) {
      const std::uint64_t i = begin + std::uint64_t{k} * blockDim.x + threadIdx.x;
      of[k] = tasks;
      if (i >= *list.count) continue;
      vertices[k] = list.items[i];
      of[k] = task_of[partition_of(table, vertices[k])];
      before[k] = atomicAdd(&counts[of[k]], 1u);
    }
    __syncthreads();
    for (std::uint32_t t = threadIdx.x; t < tasks; t += blockDim.x)
      if (counts[t] != 0) counts[t] = atomicAdd(&cursors[t], counts[t]);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kPerThread; ++k)
      if (of[k] != tasks) sorted[counts[of[k]] + before[k]] = vertices[k];
    __syncthreads();
  }
}

__global__ void sort_one_by_one(Worklist list, PartitionTable table, const std::uint32_t* task_of,
                                std::uint32_t* cursors, Vertex* sorted) {
  for (std::uint64_t i = first_place(); i < *list.count; i += stride()) {
    const Vertex v = list.items[i];
    sorted[atomicAdd(&cursors[task_of[partition_of(table, v)]], 1u)] = v;
  }
}

__global__ void mark(Worklist list, Bitmap bits) {
  for (std::uint64_t i = first_place(); i < *list.count; i += stride())
    atomicOr(&bits.words[list.items[i] / 32], 1u << list.items[i] % 32);
}

__global__ void write_offsets(const Vertex* vertices, const std::uint32_t* begins,
                              std::uint32_t count, Vertex first, EdgeIndex* offsets) {
  for (std::uint64_t i = first_place(); i < count; i += stride()) {
    const Vertex at = vertices[i] - first;
    offsets[at] = begins[i];
    // Where the next vertex has a list, that one's begin is this one's end.
    if (i + 1 == count || vertices[i + 1] != vertices[i] + 1) offsets[at + 1] = begins[i + 1];
  }
}

__global__ void read_lists(const std::uint32_t* from, std::uint64_t lines, std::uint32_t lists,
                           std::uint32_t bytes, std::uint32_t* sink) {
  constexpr std::uint32_t kWords = kLineBytes / sizeof(std::uint32_t);
  const std::uint32_t words = bytes / sizeof(std::uint32_t);
  const std::uint64_t places = lines - bytes / kLineBytes + 1;
  std::uint32_t sum = 0;
  for (std::uint64_t i = first_place() / kWarp; i < lists; i += stride() / kWarp) {
    const std::uint32_t* const list = from + scattered(i, places) * kWords;
    for (std::uint32_t word = threadIdx.x % kWarp; word < words; word += kWarp) sum += list[word];
  }
  if (sum == 1) *sink = sum;  // the reads are not left out
}

}  // namespace

void launch_measure(unsigned blocks, cudaStream_t stream, const Worklist& list,
                    const PartitionTable& table, const Offsets& offsets, Activity* activity) {
  if (table.count <= kShared)
    measure_in_shared<<<blocks, kBlock, 0, stream>>>(list, table, offsets, activity);
  else
    measure<<<blocks, kBlock, 0, stream>>>(list, table, offsets, activity);
}

void launch_sort(unsigned blocks, cudaStream_t stream, const Worklist& list,
                 const PartitionTable& table, const TaskTable& tasks, Vertex* sorted) {
  if (tasks.count <= kShared)
    sort_tiles<<<blocks, kBlock, 0, stream>>>(list, table, tasks.task_of, tasks.count,
                                              tasks.cursors, sorted);
  else
    sort_one_by_one<<<blocks, kBlock, 0, stream>>>(list, table, tasks.task_of, tasks.cursors,
                                                   sorted);
}

void launch_mark(unsigned blocks, cudaStream_t stream, const Worklist& list, const Bitmap& bits) {
  mark<<<blocks, kBlock, 0, stream>>>(list, bits);
}

void launch_index(unsigned blocks, cudaStream_t stream, const Vertex* vertices,
                  const std::uint32_t* begins, std::uint32_t count, Vertex first,
                  EdgeIndex* offsets) {
  write_offsets<<<blocks, kBlock, 0, stream>>>(vertices, begins, count, first, offsets);
}

void launch_read(unsigned blocks, cudaStream_t stream, const void* from, std::uint64_t lines,
                 std::uint32_t lists, std::uint32_t bytes, std::uint32_t* sink) {
  read_lists<<<blocks, kBlock, 0, stream>>>(static_cast<const std::uint32_t*>(from), lines, lists,
                                            bytes, sink);
}

}  // namespace vertigo::gpu::hybrid
