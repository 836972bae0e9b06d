#include "sort.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "../check.h"

namespace vertigo::gpu {

namespace {

/// CUB's calls come in two: the first says how much memory the second needs.
template <class Call>
void with_scratch(Session& session, const char* purpose, const Call& call) {
  std::size_t bytes = 0;
  check(call(nullptr, bytes), purpose);
  const Temporary<std::byte> scratch(session, bytes);
  check(call(scratch.get(), bytes), purpose);
  check(cudaStreamSynchronize(session.stream()), purpose);
}

template <class Sum>
void scan(Session& session, const std::uint32_t* values, Sum* sums, std::uint64_t count) {
  with_scratch(session, "add up lengths", [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveScan(scratch, bytes, values, sums, cuda::std::plus<Sum>{},
                                          Sum{0}, static_cast<std::int64_t>(count), session.stream());
  });
}

template <class Bound>
void sort_parts(Session& session, std::uint32_t* keys, std::uint64_t count, std::uint64_t segments,
                const Bound* bounds) {
  const Temporary<std::uint32_t> other(session, count);
  cub::DoubleBuffer<std::uint32_t> buffer(keys, other.get());
  with_scratch(session, "sort", [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::SortKeys(
        scratch, bytes, buffer, static_cast<std::int64_t>(count),
        static_cast<std::int64_t>(segments), bounds, bounds + 1, session.stream());
  });
  if (buffer.Current() != keys)
    check(cudaMemcpyAsync(keys, buffer.Current(), sizeof(std::uint32_t) * count,
                          cudaMemcpyDeviceToDevice, session.stream()),
          "sort");
  check(cudaStreamSynchronize(session.stream()), "sort");
}

}  // namespace

void sort_segments(Session& session, std::uint32_t* keys, std::uint64_t count,
                   std::uint64_t segments, const std::uint32_t* bounds) {
  sort_parts(session, keys, count, segments, bounds);
}
void sort_segments(Session& session, std::uint32_t* keys, std::uint64_t count,
                   std::uint64_t segments, const std::uint64_t* bounds) {
  sort_parts(session, keys, count, segments, bounds);
}

void sort_pairs(Session& session, const std::uint32_t* keys, std::uint32_t* sorted_keys, const std::uint32_t* values,
                std::uint32_t* sorted_values, std::uint64_t count, int bits, bool descending) {
  const cudaStream_t stream = session.stream();
  const auto items = static_cast<std::int64_t>(count);
  with_scratch(session, "sort", [&](void* scratch, std::size_t& bytes) {
    if (descending)
      return cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, keys, sorted_keys, values,
                                                       sorted_values, items, 0, bits, stream);
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, sorted_keys, values,
                                           sorted_values, items, 0, bits, stream);
  });
}

void exclusive_sums(Session& session, const std::uint32_t* values, std::uint32_t* sums, std::uint64_t count) {
  scan(session, values, sums, count);
}
void exclusive_sums(Session& session, const std::uint32_t* values, std::uint64_t* sums, std::uint64_t count) {
  scan(session, values, sums, count);
}

}  // namespace vertigo::gpu
