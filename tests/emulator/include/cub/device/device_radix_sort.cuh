#pragma once
// cub::DeviceRadixSort as far as the runtime's library uses it. Like kernels, it runs when the
// stream is waited for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* scratch, std::size_t& bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count count, int begin_bit, int end_bit,
                               cudaStream_t stream) {
    return sort(scratch, bytes, keys, values, count, begin_bit, end_bit, stream,
                [](Key a, Key b) { return a < b; });
  }
  template <class Key, class Value, class Count>
  static cudaError_t SortPairsDescending(void* scratch, std::size_t& bytes, DoubleBuffer<Key>& keys,
                                         DoubleBuffer<Value>& values, Count count, int begin_bit,
                                         int end_bit, cudaStream_t stream) {
    return sort(scratch, bytes, keys, values, count, begin_bit, end_bit, stream,
                [](Key a, Key b) { return a > b; });
  }
  template <class Key, class Count>
  static cudaError_t SortKeys(void* scratch, std::size_t& bytes, DoubleBuffer<Key>& keys,
                              Count count, int begin_bit, int end_bit, cudaStream_t stream) {
    std::vector<char> none(static_cast<std::size_t>(count));
    DoubleBuffer<char> values(none.data(), none.data());
    return SortPairs(scratch, bytes, keys, values, count, begin_bit, end_bit, stream);
  }

 private:
  template <class Key, class Value, class Count, class Before>
  static cudaError_t sort(void* scratch, std::size_t& bytes, DoubleBuffer<Key>& keys,
                          DoubleBuffer<Value>& values, Count count, int begin_bit, int end_bit,
                          cudaStream_t stream, const Before& before) {
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
    std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
      return before(part(a.first), part(b.first));
    });
    keys.selector ^= 1;
    values.selector ^= 1;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      keys.Current()[i] = pairs[i].first;
      values.Current()[i] = pairs[i].second;
    }
    return cudaSuccess;
  }
};

}  // namespace cub
