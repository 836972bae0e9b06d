#pragma once
// Whether this machine can run the program's kernels, and on what.

#include <string>
#include <vector>

namespace vertigo::gpu {

/// "" where it can, else why not, in one line without a full stop: no driver, driver too old, no
/// visible GPU, no GPU of that number, wrong architecture. Neither makes a context nor allocates on
/// the device. `architectures`: as Registration takes them.
std::string why_unusable(const std::vector<int>& architectures, unsigned device);

/// Makes the device's context, which takes a fifth of a second and more. What fails here fails
/// again for whoever uses the device, and is left to them.
void start_device(unsigned device);

/// Ends what start_device() began. Whoever uses the device afterwards begins anew.
void end_device(unsigned device);

/// Such as "NVIDIA H200, 139.8 GiB".
std::string device_name(unsigned device);

}  // namespace vertigo::gpu
