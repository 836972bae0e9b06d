#include <algorithm>

#include "device/check.h"
#include "device/cooperative.h"
#include "vertigo/engines/solve/launch.cuh"
#include "vertigo/engines/solve/packed_rows.h"

namespace vertigo::gpu::solve {

namespace {

/// Of shared memory, for hot values. Processors have it from the same memory as the first-level
/// cache, in steps, which the rest is left to: on an H200, of 256 KiB, 96, 128, 160, 180, 208 and
/// 219 KiB for hot values gave 0.354, 0.331, 0.323, 0.315, 0.378 and 0.373 ms a sweep over lj, and
/// the like on kron21. From about 185 KiB on, with what the kernel needs besides, the last step is
/// taken.
constexpr int kMostHotBytes = 180 << 10;
/// What the kernel's own shared variables take, generously.
constexpr int kReserved = 12 << 10;

}  // namespace

void detail::launch_resident(const void* kernel, unsigned threads, std::size_t shared,
                             void** arguments, Stream stream) {
  if (shared != 0)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared)),
          "ask for shared memory");
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, static_cast<int>(threads),
                                                      shared),
        "ask how often the solver fits on the device");
  const unsigned processors = attribute_of_device(cudaDevAttrMultiProcessorCount);
  gpu::detail::launch_cooperatively(kernel,
                                    std::max(1u, static_cast<unsigned>(resident) * processors),
                                    threads, arguments, shared, stream);
}

unsigned most_solver_blocks() {
  return attribute_of_device(cudaDevAttrMultiProcessorCount) *
         (attribute_of_device(cudaDevAttrMaxThreadsPerMultiProcessor) / 256);
}

unsigned hot_room(unsigned bytes, unsigned besides) {
  const int offered =
      static_cast<int>(attribute_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  const int room = std::min(offered - kReserved, kMostHotBytes) - static_cast<int>(besides);
  return room < 0 ? 0 : static_cast<unsigned>(room) / bytes;
}

bool may_pack(EdgeIndex edges) { return edges > 0 && hot_room(1, kTileRoom) > 0; }

}  // namespace vertigo::gpu::solve
