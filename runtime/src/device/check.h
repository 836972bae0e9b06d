#pragma once
// CUDA's return codes as vertigo::Error: one line that says what failed.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace vertigo::gpu {

/// Throws Error(OutOfMemory or DeviceUnusable) where `code` is a failure; `what` names the call in
/// the words of its purpose, such as "allocate 'distance'".
void check(cudaError_t code, const std::string& what);

/// An event that orders streams, and takes no time of them.
cudaEvent_t make_event();

/// Of the calling thread's device.
unsigned attribute_of_device(cudaDeviceAttr attribute);

/// "1.5 GiB (1610612736 bytes)".
std::string in_words(std::uint64_t bytes);

}  // namespace vertigo::gpu
