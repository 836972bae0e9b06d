#pragma once
// Kernels of the runtime itself, for the host's actions.

#include <cuda_runtime_api.h>

#include "vertigo/device/buffers.cuh"

namespace vertigo::gpu {

/// Clears the bits of the listed vertices.
void launch_clear_listed(unsigned blocks, cudaStream_t stream, const Bitmap& bitmap,
                         const Worklist& list);
/// The list becomes 0 … count - 1.
void launch_fill(unsigned blocks, cudaStream_t stream, const Worklist& list, Vertex count);

}  // namespace vertigo::gpu
