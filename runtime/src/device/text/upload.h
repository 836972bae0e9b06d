#pragma once
// The bytes of a file to the device: all threads read pieces of it into pinned memory, and each
// piece travels while its thread reads the next.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>

namespace vertigo::gpu::text {

/// Copies bytes [at, at + bytes) of the file; called by several threads.
using ReadBytes = std::function<void(std::uint64_t at, void* to, std::size_t bytes)>;

/// Returns when all is there. Throws what `read` throws.
void upload(const ReadBytes& read, std::uint64_t begin, std::uint64_t bytes, char* to,
            cudaStream_t stream);

}  // namespace vertigo::gpu::text
