#pragma once
// Launches of kernels whose blocks wait for each other (vertigo/device/cooperative.cuh).

#include <cuda_runtime_api.h>

#include <cstddef>

namespace vertigo::gpu::detail {

/// Blocks of such a kernel meet in a word that all launches of its file share, so on each device
/// one of them runs at a time: where the last one was launched on another stream, by another run,
/// this one waits for it. A run alone pays nothing for that.
void launch_cooperatively(const void* kernel, unsigned blocks, unsigned threads, void** arguments,
                          std::size_t shared_bytes, cudaStream_t stream);

/// The stream is about to go; everything on it is done.
void forget_cooperative_launches(cudaStream_t stream);

}  // namespace vertigo::gpu::detail
