#pragma once
// Stable radix sorts of device arrays. Keys and values are sorted in place of one of two buffers;
// which one holds the result is told.

#include "working_memory.h"

namespace vertigo::gpu::prepare {

/// Two arrays of the same length; `now` is the one in use.
template <class T>
struct TwoArrays {
  T* now;
  T* spare;
};

/// Sorts by bits [first_bit, end_bit) of the keys; values move with them. For keys and
/// values of 32 bits, and where one of the two has 64.
template <class Key, class Value>
void sort_pairs(WorkingMemory& memory, TwoArrays<Key>& keys, TwoArrays<Value>& values,
                std::uint64_t count, unsigned first_bit, unsigned end_bit);

/// Bytes that the sort by bits [0, end_bit) takes from `memory`.
template <class Key, class Value>
std::uint64_t sort_memory(std::uint64_t count, unsigned end_bit);

/// Sum of the values before each: `sums[0] = 0`, `count` of them.
void exclusive_sum(WorkingMemory& memory, const std::uint64_t* values, std::uint64_t* sums,
                   std::uint64_t count);
std::uint64_t sum_memory(std::uint64_t count);

}  // namespace vertigo::gpu::prepare
