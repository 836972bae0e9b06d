#pragma once
// The bodies of sort_pairs and its kin. Each pair of types has a file of its own: the kernels of
// one sort, for three architectures, are half a megabyte, and a program links those that it uses.

#include <cub/device/device_radix_sort.cuh>
#include <utility>

#include "cub_memory.h"
#include "sorting.h"

namespace vertigo::gpu::prepare {

template <bool kDown, class Key, class Value>
struct RadixSort {
  cub::DoubleBuffer<Key>& keys;
  cub::DoubleBuffer<Value>& values;
  std::uint64_t count;
  unsigned first_bit;
  unsigned end_bit;
  cudaStream_t stream;

  cudaError_t operator()(void* storage, std::size_t& bytes) const {
    const auto first = static_cast<int>(first_bit);
    const auto end = static_cast<int>(end_bit);
    if constexpr (kDown)
      return cub::DeviceRadixSort::SortPairsDescending(storage, bytes, keys, values, count, first,
                                                       end, stream);
    else
      return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, values, count, first, end,
                                             stream);
  }
};

template <class T>
void take_current(const cub::DoubleBuffer<T>& buffer, TwoArrays<T>& arrays) {
  if (buffer.selector != 0) std::swap(arrays.now, arrays.spare);
}

template <bool kDown, class Key, class Value>
void radix_sort(WorkingMemory& memory, TwoArrays<Key>& keys, TwoArrays<Value>& values,
                std::uint64_t count, unsigned first_bit, unsigned end_bit) {
  if (first_bit == end_bit) return;
  cub::DoubleBuffer<Key> key_buffer(keys.now, keys.spare);
  cub::DoubleBuffer<Value> value_buffer(values.now, values.spare);
  run(memory, "sort",
      RadixSort<kDown, Key, Value>{key_buffer, value_buffer, count, first_bit, end_bit,
                                   memory.stream()});
  take_current(key_buffer, keys);
  take_current(value_buffer, values);
}

template <class Key, class Value>
void sort_pairs(WorkingMemory& memory, TwoArrays<Key>& keys, TwoArrays<Value>& values,
                std::uint64_t count, unsigned first_bit, unsigned end_bit) {
  radix_sort<false>(memory, keys, values, count, first_bit, end_bit);
}

template <class Key, class Value>
std::uint64_t sort_memory(std::uint64_t count, unsigned end_bit) {
  cub::DoubleBuffer<Key> keys(nullptr, nullptr);
  cub::DoubleBuffer<Value> values(nullptr, nullptr);
  return memory_of(RadixSort<false, Key, Value>{keys, values, count, 0, end_bit, nullptr});
}

#define VERTIGO_SORT(Key, Value)                                                              \
  template void sort_pairs(WorkingMemory&, TwoArrays<Key>&, TwoArrays<Value>&, std::uint64_t, \
                           unsigned, unsigned);                                               \
  template std::uint64_t sort_memory<Key, Value>(std::uint64_t, unsigned);

}  // namespace vertigo::gpu::prepare
