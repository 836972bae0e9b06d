#include <cub/device/device_segmented_sort.cuh>

#include "cub_memory.h"
#include "sorting.h"

namespace vertigo::gpu::prepare {

namespace {

template <class Bound>
struct SegmentedSort {
  cub::DoubleBuffer<std::uint32_t>& keys;
  std::uint64_t count;
  std::uint64_t segments;
  const Bound* bounds;
  cudaStream_t stream;

  cudaError_t operator()(void* storage, std::size_t& bytes) const {
    return cub::DeviceSegmentedSort::SortKeys(
        storage, bytes, keys, static_cast<std::int64_t>(count), static_cast<std::int64_t>(segments),
        bounds, bounds + 1, stream);
  }
};

}  // namespace

template <class Bound>
void sort_segments(WorkingMemory& memory, std::uint32_t* keys, std::uint32_t* spare,
                   std::uint64_t count, std::uint64_t segments, const Bound* bounds) {
  cub::DoubleBuffer<std::uint32_t> buffer(keys, spare);
  run(memory, "sort", SegmentedSort<Bound>{buffer, count, segments, bounds, memory.stream()});
  if (buffer.Current() != keys)
    check(cudaMemcpyAsync(keys, buffer.Current(), sizeof(std::uint32_t) * count,
                          cudaMemcpyDeviceToDevice, memory.stream()),
          "sort");
}

template <class Bound>
std::uint64_t segments_memory(std::uint64_t count, std::uint64_t segments) {
  cub::DoubleBuffer<std::uint32_t> keys(nullptr, nullptr);
  return memory_of(SegmentedSort<Bound>{keys, count, segments, nullptr, nullptr});
}

#define VERTIGO_SEGMENTS(Bound)                                                              \
  template void sort_segments(WorkingMemory&, std::uint32_t*, std::uint32_t*, std::uint64_t, \
                              std::uint64_t, const Bound*);                                  \
  template std::uint64_t segments_memory<Bound>(std::uint64_t, std::uint64_t);

VERTIGO_SEGMENTS(std::uint32_t)
VERTIGO_SEGMENTS(std::uint64_t)

#undef VERTIGO_SEGMENTS

}  // namespace vertigo::gpu::prepare
