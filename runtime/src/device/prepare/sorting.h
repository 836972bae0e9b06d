#pragma once
// Sorts and sums of device arrays, and what each takes of a WorkingMemory. CUB, which is long to
// compile, is included by the files that define them: one each for what programs use apart.

#include "working_memory.h"

namespace vertigo::gpu::prepare {

/// Two arrays of the same length; `now` is the one in use.
template <class T>
struct TwoArrays {
  T* now;
  T* spare;
};
template <class T>
TwoArrays<T> take_two(WorkingMemory& memory, std::uint64_t count, const char* purpose) {
  T* const now = memory.take<T>(count, purpose);
  return {now, memory.take<T>(count, purpose)};
}

/// Sorts by bits [first_bit, end_bit) of the keys, stably; values move with them. The result is in
/// `now`, which may have been `spare`. For keys and values of 32 and of 64 bits.
template <class Key, class Value>
void sort_pairs(WorkingMemory& memory, TwoArrays<Key>& keys, TwoArrays<Value>& values,
                std::uint64_t count, unsigned first_bit, unsigned end_bit);
/// Keys of 64 bits alone.
void sort_keys(WorkingMemory& memory, TwoArrays<std::uint64_t>& keys, std::uint64_t count,
               unsigned first_bit, unsigned end_bit);
/// The same from the largest key to the smallest.
void sort_pairs_down(WorkingMemory& memory, TwoArrays<std::uint32_t>& keys,
                     TwoArrays<std::uint32_t>& values, std::uint64_t count, unsigned first_bit,
                     unsigned end_bit);
/// Bytes; of a sort by bits [0, end_bit), up or down.
template <class Key, class Value>
std::uint64_t sort_memory(std::uint64_t count, unsigned end_bit);

/// Sorts the keys between bounds[i] and bounds[i + 1], for every i below `segments`. `spare` is as
/// long as `keys`, which hold the result.
template <class Bound>
void sort_segments(WorkingMemory& memory, std::uint32_t* keys, std::uint32_t* spare,
                   std::uint64_t count, std::uint64_t segments, const Bound* bounds);
template <class Bound>
std::uint64_t segments_memory(std::uint64_t count, std::uint64_t segments);

/// Sum of the values before each: `sums[0] = 0`, `count` of them. Sums may be wider than values.
template <class Value, class Sum>
void exclusive_sum(WorkingMemory& memory, const Value* values, Sum* sums, std::uint64_t count);
template <class Value, class Sum>
std::uint64_t sum_memory(std::uint64_t count);

}  // namespace vertigo::gpu::prepare
