#pragma once
// What the link and the host's cores can do: measured on the graph at hand in some milliseconds, or
// kept from an earlier run on the same machine.

#include <cuda_runtime_api.h>

#include <string>

#include "cost.h"

namespace vertigo::gpu::hybrid {

/// Memory that may be read, and memory that may be written, for trials.
struct Trial {
  const void* host = nullptr;       ///< pinned, on a line's border
  const void* on_device = nullptr;  ///< the same bytes, by their addresses on the device
  std::uint64_t host_bytes = 0;
  void* device = nullptr;
  std::uint64_t device_bytes = 0;
  void* pinned = nullptr;
  std::uint64_t pinned_bytes = 0;
};

/// Some 10 ms on an H200. Rates are of the trial's size where that is less than what a measurement
/// wants.
LinkRates measure_link(const Trial& trial, unsigned blocks, cudaStream_t stream);

/// What a run before this one kept in the folder, else what is measured, which is then kept there.
/// Empty: nothing is kept.
LinkRates link_rates(const Trial& trial, unsigned blocks, cudaStream_t stream,
                     const std::string& folder);

}  // namespace vertigo::gpu::hybrid
