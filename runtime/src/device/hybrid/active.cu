#include "active.h"
#include "vertigo/device/bitmap.cuh"

namespace vertigo::gpu::hybrid {

namespace {

/// So many partitions are added up in a block's shared memory; more, in global memory at once.
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

__device__ __forceinline__ void add(Activity& activity, EdgeIndex begin, EdgeIndex end) {
  constexpr EdgeIndex kPerLine = kLineBytes / sizeof(Vertex);
  if (begin == end) return;
  atomicAdd(&activity.edges, static_cast<unsigned long long>(end - begin));
  atomicAdd(&activity.lines,
            static_cast<unsigned long long>((end - 1) / kPerLine - begin / kPerLine + 1));
}

__global__ void measure(Worklist list, PartitionTable table, Offsets offsets, Activity* activity) {
  __shared__ Activity of_block[kShared];
  const bool shares = table.count <= kShared;
  if (shares) {
    for (std::uint32_t i = threadIdx.x; i < table.count; i += blockDim.x) of_block[i] = Activity{};
    __syncthreads();
  }
  Activity* const to = shares ? of_block : activity;
  for (std::uint64_t i = first_place(); i < *list.count; i += stride()) {
    const Vertex v = list.items[i];
    Activity& mine = to[partition_of(table, v)];
    atomicAdd(&mine.vertices, 1ull);
    add(mine, offsets.out[v], offsets.out[v + 1]);
    if (offsets.in != nullptr) add(mine, offsets.in[v], offsets.in[v + 1]);
  }
  if (!shares) return;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < table.count; i += blockDim.x) {
    const Activity& mine = of_block[i];
    if (mine.vertices == 0) continue;
    atomicAdd(&activity[i].vertices, mine.vertices);
    atomicAdd(&activity[i].edges, mine.edges);
    atomicAdd(&activity[i].lines, mine.lines);
  }
}

__global__ void sort_by_task(Worklist list, PartitionTable table, const std::uint32_t* task_of,
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
  measure<<<blocks, kBlock, 0, stream>>>(list, table, offsets, activity);
}

void launch_sort(unsigned blocks, cudaStream_t stream, const Worklist& list,
                 const PartitionTable& table, const std::uint32_t* task_of, std::uint32_t* cursors,
                 Vertex* sorted) {
  sort_by_task<<<blocks, kBlock, 0, stream>>>(list, table, task_of, cursors, sorted);
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
