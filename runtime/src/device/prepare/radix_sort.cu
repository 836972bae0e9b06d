#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "radix_sort.h"

namespace vertigo::gpu::prepare {

namespace {

/// CUB asks for its memory in a first call.
template <class Algorithm>
void run(WorkingMemory& memory, const char* purpose, const Algorithm& algorithm) {
  std::size_t bytes = 0;
  check(algorithm(nullptr, bytes), purpose);
  auto* const storage = memory.take<std::byte>(bytes, purpose);
  check(algorithm(static_cast<void*>(storage), bytes), purpose);
}

template <class T>
void take_current(const cub::DoubleBuffer<T>& buffer, TwoArrays<T>& arrays) {
  if (buffer.selector == 0) return;
  T* const sorted = arrays.spare;
  arrays.spare = arrays.now;
  arrays.now = sorted;
}

}  // namespace

template <class Key, class Value>
void sort_pairs(WorkingMemory& memory, TwoArrays<Key>& keys, TwoArrays<Value>& values,
                std::uint64_t count, unsigned first_bit, unsigned end_bit) {
  if (first_bit == end_bit) return;
  cub::DoubleBuffer<Key> key_buffer(keys.now, keys.spare);
  cub::DoubleBuffer<Value> value_buffer(values.now, values.spare);
  run(memory, "sort", [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, key_buffer, value_buffer, count,
                                           static_cast<int>(first_bit), static_cast<int>(end_bit),
                                           memory.stream());
  });
  take_current(key_buffer, keys);
  take_current(value_buffer, values);
}

template void sort_pairs(WorkingMemory&, TwoArrays<std::uint32_t>&, TwoArrays<std::uint32_t>&,
                         std::uint64_t, unsigned, unsigned);
template void sort_pairs(WorkingMemory&, TwoArrays<std::uint32_t>&, TwoArrays<std::uint64_t>&,
                         std::uint64_t, unsigned, unsigned);
template void sort_pairs(WorkingMemory&, TwoArrays<std::uint64_t>&, TwoArrays<std::uint32_t>&,
                         std::uint64_t, unsigned, unsigned);

template <class Key, class Value>
std::uint64_t sort_memory(std::uint64_t count, unsigned end_bit) {
  cub::DoubleBuffer<Key> keys(nullptr, nullptr);
  cub::DoubleBuffer<Value> values(nullptr, nullptr);
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, count, 0,
                                        static_cast<int>(end_bit)),
        "ask what a sort takes");
  return array_bytes<std::byte>(bytes);
}

template std::uint64_t sort_memory<std::uint32_t, std::uint32_t>(std::uint64_t, unsigned);
template std::uint64_t sort_memory<std::uint32_t, std::uint64_t>(std::uint64_t, unsigned);

void exclusive_sum(WorkingMemory& memory, const std::uint64_t* values, std::uint64_t* sums,
                   std::uint64_t count) {
  run(memory, "add up", [&](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, values, sums, count, memory.stream());
  });
}

std::uint64_t sum_memory(std::uint64_t count) {
  const std::uint64_t* const values = nullptr;
  std::uint64_t* const sums = nullptr;
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, values, sums, count, cudaStream_t{}),
        "ask what a sum takes");
  return array_bytes<std::byte>(bytes);
}

}  // namespace vertigo::gpu::prepare
