#include "radix_sort.cuh"

namespace vertigo::gpu::prepare {

VERTIGO_SORT(std::uint64_t, std::uint64_t)

}  // namespace vertigo::gpu::prepare
