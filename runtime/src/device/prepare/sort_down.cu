#include "radix_sort.cuh"

namespace vertigo::gpu::prepare {

void sort_pairs_down(WorkingMemory& memory, TwoArrays<std::uint32_t>& keys,
                     TwoArrays<std::uint32_t>& values, std::uint64_t count, unsigned first_bit,
                     unsigned end_bit) {
  radix_sort<true>(memory, keys, values, count, first_bit, end_bit);
}

}  // namespace vertigo::gpu::prepare
