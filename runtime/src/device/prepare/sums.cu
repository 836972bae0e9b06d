#include <cub/device/device_scan.cuh>

#include "cub_memory.h"
#include "sorting.h"

namespace vertigo::gpu::prepare {

namespace {

template <class Value, class Sum>
struct Scan {
  const Value* values;
  Sum* sums;
  std::uint64_t count;
  cudaStream_t stream;

  cudaError_t operator()(void* storage, std::size_t& bytes) const {
    return cub::DeviceScan::ExclusiveScan(storage, bytes, values, sums, cuda::std::plus<Sum>{},
                                          Sum{0}, static_cast<std::int64_t>(count), stream);
  }
};

}  // namespace

template <class Value, class Sum>
void exclusive_sum(WorkingMemory& memory, const Value* values, Sum* sums, std::uint64_t count) {
  run(memory, "add up", Scan<Value, Sum>{values, sums, count, memory.stream()});
}

template <class Value, class Sum>
std::uint64_t sum_memory(std::uint64_t count) {
  return memory_of(Scan<Value, Sum>{nullptr, nullptr, count, nullptr});
}

#define VERTIGO_SUM(Value, Sum)                                                   \
  template void exclusive_sum(WorkingMemory&, const Value*, Sum*, std::uint64_t); \
  template std::uint64_t sum_memory<Value, Sum>(std::uint64_t);

VERTIGO_SUM(std::uint32_t, std::uint32_t)
VERTIGO_SUM(std::uint32_t, std::uint64_t)
VERTIGO_SUM(std::uint64_t, std::uint64_t)

#undef VERTIGO_SUM

}  // namespace vertigo::gpu::prepare
