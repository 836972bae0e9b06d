#include "sort.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "scratch.h"

namespace vertigo::gpu {

namespace {

/// CUB's calls come in two: the first says how much memory the second needs.
template <class Call>
void with_scratch(const char* purpose, cudaStream_t stream, const Call& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), purpose);
  const Scratch<std::byte> scratch(bytes, purpose);
  check(call(scratch.data(), bytes), purpose);
  check(cudaStreamSynchronize(stream), purpose);
}

template <class Sum>
void scan(const std::uint32_t* values, Sum* sums, std::uint64_t count, cudaStream_t stream) {
  with_scratch("add up lengths", stream, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(scratch, bytes, values, sums, cuda::std::plus<Sum>{},
                                          Sum{0}, static_cast<std::int64_t>(count), stream);
  });
}

}  // namespace

void sort_pairs(const std::uint32_t* keys, std::uint32_t* sorted_keys, const std::uint32_t* values,
                std::uint32_t* sorted_values, std::uint64_t count, int bits, bool descending,
                cudaStream_t stream) {
  const auto items = static_cast<std::int64_t>(count);
  with_scratch("sort", stream, [&](void* scratch, std::size_t& bytes) {
    if (descending)
      return cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, keys, sorted_keys, values,
                                                       sorted_values, items, 0, bits, stream);
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, sorted_keys, values,
                                           sorted_values, items, 0, bits, stream);
  });
}

void exclusive_sums(const std::uint32_t* values, std::uint32_t* sums, std::uint64_t count,
                    cudaStream_t stream) {
  scan(values, sums, count, stream);
}
void exclusive_sums(const std::uint32_t* values, std::uint64_t* sums, std::uint64_t count,
                    cudaStream_t stream) {
  scan(values, sums, count, stream);
}

}  // namespace vertigo::gpu
