#pragma once
// cub::DeviceRadixSort as far as the runtime's library uses it. Like kernels, it runs when the
// stream is waited for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "cuda_runtime.h"

namespace cub {

template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {};
  int selector = 0;

  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

struct DeviceRadixSort {
  template <class Key, class Count>
  static cudaError_t SortKeys(void* scratch, std::size_t& bytes, DoubleBuffer<Key>& keys,
                              Count count, int begin_bit, int end_bit, cudaStream_t stream) {
    std::vector<char> nothing(2 * static_cast<std::size_t>(count) + 2);
    DoubleBuffer<char> values(nothing.data(), nothing.data() + count);
    return SortPairs(scratch, bytes, keys, values, count, begin_bit, end_bit, stream);
  }
  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* scratch, std::size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count count, int begin_bit = 0,
                               int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {
    bytes = 1;
    if (scratch == nullptr) return cudaSuccess;
    const cudaError_t waited = cudaStreamSynchronize(stream);
    if (waited != cudaSuccess) return waited;
    const auto part = [&](Key key) {
      const Key low = key >> begin_bit;
      const int kept = end_bit - begin_bit;
      return kept >= static_cast<int>(sizeof(Key) * 8) ? low : low & ((Key{1} << kept) - 1);
    };
    std::vector<std::pair<Key, Value>> pairs(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < pairs.size(); ++i)
      pairs[i] = {keys.Current()[i], values.Current()[i]};
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& a, const auto& b) { return part(a.first) < part(b.first); });
    keys.selector ^= 1;
    values.selector ^= 1;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      keys.Current()[i] = pairs[i].first;
      values.Current()[i] = pairs[i].second;
    }
    return cudaSuccess;
  }

  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* scratch, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                               const Value* values, Value* sorted_values, Count count, int begin,
                               int end, cudaStream_t stream) {
    return sort(scratch, bytes, keys, sorted_keys, values, sorted_values, count, begin, end, stream,
                [](Key a, Key b) { return a < b; });
  }
  template <class Key, class Value, class Count>
  static cudaError_t SortPairsDescending(void* scratch, std::size_t& bytes, const Key* keys,
                                         Key* sorted_keys, const Value* values,
                                         Value* sorted_values, Count count, int begin, int end,
                                         cudaStream_t stream) {
    return sort(scratch, bytes, keys, sorted_keys, values, sorted_values, count, begin, end, stream,
                [](Key a, Key b) { return a > b; });
  }

 private:
  template <class Key, class Value, class Count, class Before>
  static cudaError_t sort(void* scratch, std::size_t& bytes, const Key* keys, Key* sorted_keys,
                          const Value* values, Value* sorted_values, Count count, int begin,
                          int end, cudaStream_t stream, const Before& before) {
    bytes = 1;
    if (scratch == nullptr) return cudaSuccess;
    const cudaError_t problem = cudaStreamSynchronize(stream);
    if (problem != cudaSuccess) return problem;
    const auto part = [&](Key key) {
      return static_cast<Key>((key >> begin) & ((std::uint64_t{1} << (end - begin)) - 1));
    };
    std::vector<std::size_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return before(part(keys[a]), part(keys[b]));
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted_keys[i] = keys[order[i]];
      sorted_values[i] = values[order[i]];
    }
    return cudaSuccess;
  }
};

}  // namespace cub
