#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <utility>

#include "sorting.h"

namespace vertigo::gpu::prepare {

namespace {

// CUB asks for its memory in a first call: each algorithm stands once, for both.

template <class Algorithm>
void run(WorkingMemory& memory, const char* purpose, const Algorithm& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), purpose);
  auto* const storage = memory.take<std::byte>(bytes, purpose);
  check(algorithm(static_cast<void*>(storage), bytes), purpose);
}

template <class Algorithm>
std::uint64_t memory_of(const Algorithm& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), "ask what a preparation takes");
  return array_bytes<std::byte>(bytes);
}

template <class Key, class Value>
struct RadixSort {
  cub::DoubleBuffer<Key>& keys;
  cub::DoubleBuffer<Value>& values;
  std::uint64_t count;
  unsigned first_bit;
  unsigned end_bit;
  Ascent ascent;
  cudaStream_t stream;

  cudaError_t operator()(void* storage, std::size_t& bytes) const {
    const auto first = static_cast<int>(first_bit);
    const auto end = static_cast<int>(end_bit);
    if (ascent == Ascent::Down)
      return cub::DeviceRadixSort::SortPairsDescending(storage, bytes, keys, values, count, first,
                                                       end, stream);
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, values, count, first, end, stream);
  }
};

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

template <class Value, class Sum>
struct Scan {
  const Value* values;
  Sum* sums;
  std::uint64_t count;
  cudaStream_t stream;

  cudaError_t operator()(void* storage, std::size_t& bytes) const {
    return cub::DeviceScan::ExclusiveScan(storage, bytes, values, sums, cuda::std::plus<Sum>{},
                                          Sum{0}, static_cast<std::int64_t>(count), stream);
  }
};

template <class T>
void take_current(const cub::DoubleBuffer<T>& buffer, TwoArrays<T>& arrays) {
  if (buffer.selector != 0) std::swap(arrays.now, arrays.spare);
}

}  // namespace

template <class Key, class Value>
void sort_pairs(WorkingMemory& memory, TwoArrays<Key>& keys, TwoArrays<Value>& values,
                std::uint64_t count, unsigned first_bit, unsigned end_bit, Ascent ascent) {
  if (first_bit == end_bit) return;
  cub::DoubleBuffer<Key> key_buffer(keys.now, keys.spare);
  cub::DoubleBuffer<Value> value_buffer(values.now, values.spare);
  run(memory, "sort",
      RadixSort<Key, Value>{key_buffer, value_buffer, count, first_bit, end_bit, ascent,
                            memory.stream()});
  take_current(key_buffer, keys);
  take_current(value_buffer, values);
}

template <class Key, class Value>
std::uint64_t sort_memory(std::uint64_t count, unsigned end_bit) {
  cub::DoubleBuffer<Key> keys(nullptr, nullptr);
  cub::DoubleBuffer<Value> values(nullptr, nullptr);
  return memory_of(RadixSort<Key, Value>{keys, values, count, 0, end_bit, Ascent::Up, nullptr});
}

#define VERTIGO_SORT(Key, Value)                                                              \
  template void sort_pairs(WorkingMemory&, TwoArrays<Key>&, TwoArrays<Value>&, std::uint64_t, \
                           unsigned, unsigned, Ascent);                                       \
  template std::uint64_t sort_memory<Key, Value>(std::uint64_t, unsigned);

VERTIGO_SORT(std::uint32_t, std::uint32_t)
VERTIGO_SORT(std::uint32_t, std::uint64_t)
VERTIGO_SORT(std::uint64_t, std::uint32_t)

#undef VERTIGO_SORT

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

template <class Value, class Sum>
void exclusive_sum(WorkingMemory& memory, const Value* values, Sum* sums, std::uint64_t count) {
  run(memory, "add up", Scan<Value, Sum>{values, sums, count, memory.stream()});
}

template <class Value, class Sum>
std::uint64_t sum_memory(std::uint64_t count) {
  return memory_of(Scan<Value, Sum>{nullptr, nullptr, count, nullptr});
}

#define VERTIGO_SUM(Value, Sum)                                                   \
  template void exclusive_sum(WorkingMemory&, const Value*, Sum*, std::uint64_t); \
  template std::uint64_t sum_memory<Value, Sum>(std::uint64_t);

VERTIGO_SUM(std::uint32_t, std::uint32_t)
VERTIGO_SUM(std::uint32_t, std::uint64_t)
VERTIGO_SUM(std::uint64_t, std::uint64_t)

#undef VERTIGO_SUM

#define VERTIGO_SEGMENTS(Bound)                                                              \
  template void sort_segments(WorkingMemory&, std::uint32_t*, std::uint32_t*, std::uint64_t, \
                              std::uint64_t, const Bound*);                                  \
  template std::uint64_t segments_memory<Bound>(std::uint64_t, std::uint64_t);

VERTIGO_SEGMENTS(std::uint32_t)
VERTIGO_SEGMENTS(std::uint64_t)

#undef VERTIGO_SEGMENTS

}  // namespace vertigo::gpu::prepare
