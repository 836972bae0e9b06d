#include "radix_sort.cuh"

namespace vertigo::gpu::prepare {

VERTIGO_SORT(std::uint32_t, std::uint32_t)

}  // namespace vertigo::gpu::prepare
