#pragma once
// The solver as the library offers it: instantiated once there, so that no generated program
// compiles it.

#include "vertigo/device/session.cuh"
#include "vertigo/engines/solve/system.cuh"

namespace vertigo::gpu::solve {

/// Most blocks of a solve: what System::partials has room for.
unsigned most_solver_blocks();
/// Values of `bytes` each that the hot positions may have, where `besides` bytes of shared memory
/// are taken.
unsigned hot_room(unsigned bytes, unsigned besides = 0);
/// Whether rows may be packed: a block has to have room for a tile.
bool may_pack(EdgeIndex edges);

/// Launches the solve. What came of it stands in `*system.control` afterwards.
template <class T, class Offset>
void launch_solve(const System<T, Offset>& system, Stream stream);

extern template void launch_solve(const System<float, std::uint32_t>&, Stream);
extern template void launch_solve(const System<double, std::uint32_t>&, Stream);
extern template void launch_solve(const System<float, std::uint64_t>&, Stream);
extern template void launch_solve(const System<double, std::uint64_t>&, Stream);

}  // namespace vertigo::gpu::solve
