#include "vertigo/engines/solve/launch.cuh"

namespace vertigo::gpu::solve {

template void launch_solve(const System<float, std::uint32_t>&, Stream);
template void launch_solve(const System<float, std::uint64_t>&, Stream);

}  // namespace vertigo::gpu::solve
