#include "radix_sort.cuh"

namespace vertigo::gpu::prepare {

void sort_keys(WorkingMemory& memory, TwoArrays<std::uint64_t>& keys, std::uint64_t count,
               unsigned first_bit, unsigned end_bit) {
  if (first_bit == end_bit) return;
  cub::DoubleBuffer<std::uint64_t> buffer(keys.now, keys.spare);
  run(memory, "sort", [&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, buffer, count,
                                          static_cast<int>(first_bit), static_cast<int>(end_bit),
                                          memory.stream());
  });
  take_current(buffer, keys);
}

}  // namespace vertigo::gpu::prepare
