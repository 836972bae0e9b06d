#pragma once
// What a session holds of its GPU: the device's properties, a stream of its own, and the pinned
// memory that copies go through. Shared by the files of this folder only.

#include <cuda_runtime_api.h>

#include "transfer.h"

namespace vertigo::gpu::detail {

struct Device {
  /// Makes the device the calling thread's; the first of a process on a device pays for its
  /// context. Throws Error(DeviceUnusable).
  explicit Device(unsigned number);
  /// Waits for the stream. Errors are left alone: whoever waited for the results saw them first.
  ~Device();
  Device(const Device&) = delete;

  cudaStream_t stream = nullptr;  ///< all work of the session, in order
  unsigned processors = 0;
  unsigned most_blocks = 0;  ///< that the device runs at once, at kBlock threads each
  Staging staging;
};

}  // namespace vertigo::gpu::detail
