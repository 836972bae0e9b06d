#include <algorithm>

#include "device/check.h"
#include "device/cooperative.h"
#include "vertigo/engines/solve/kernel.cuh"
#include "vertigo/engines/solve/run.cuh"

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

template <class S>
void launch(const System<typename S::T, typename S::Offset>& system, cudaStream_t stream) {
  void (*const kernel)(System<typename S::T, typename S::Offset>) = &solve_fixpoint<S>;
  const std::size_t shared = shared_bytes<S>(system.rows.hot);
  if (shared != 0)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shared)),
          "ask for shared memory");
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, S::kThreads, shared),
        "ask how often the solver fits on the device");
  const unsigned processors = attribute_of_device(cudaDevAttrMultiProcessorCount);
  auto argument = system;
  void* arguments[] = {&argument};
  gpu::detail::launch_cooperatively(reinterpret_cast<const void*>(kernel),
                                    std::max(1u, static_cast<unsigned>(resident) * processors),
                                    S::kThreads, arguments, shared, stream);
}

}  // namespace

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

template <class T, class Offset>
void launch_solve(const System<T, Offset>& system, Stream stream) {
  if (system.edge_values != nullptr)
    launch<Shape<T, Offset, true, false, false>>(system, stream);
  else if (system.rows.packed.tiles != nullptr)
    launch<Shape<T, Offset, false, true, false, false, true>>(system, stream);
  else if (system.rows.hot != 0)
    launch<Shape<T, Offset, false, true, false>>(system, stream);
  else if (system.rows.near.first != nullptr)
    launch<Shape<T, Offset, false, false, false, true>>(system, stream);
  else
    launch<Shape<T, Offset, false, false, false>>(system, stream);
  // Returns at once unless the first found that terms cancel.
  if (system.edge_values != nullptr)
    launch<Shape<T, Offset, true, false, true>>(system, stream);
  else if (system.rows.packed.tiles != nullptr)
    launch<Shape<T, Offset, false, true, true, false, true>>(system, stream);
  else
    launch<Shape<T, Offset, false, false, true>>(system, stream);
}

template void launch_solve(const System<float, std::uint32_t>&, Stream);
template void launch_solve(const System<double, std::uint32_t>&, Stream);
template void launch_solve(const System<float, std::uint64_t>&, Stream);
template void launch_solve(const System<double, std::uint64_t>&, Stream);

}  // namespace vertigo::gpu::solve
