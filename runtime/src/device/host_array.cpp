#include "host_array.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "check.h"
#include "transfer.h"

namespace vertigo::gpu::detail {

namespace {

/// Pinning takes whole pages, and a page can be pinned once. Short arrays may share one.
constexpr std::uint64_t kOwnPages = 1u << 20;

}  // namespace

bool HostArray::pin_in_place(const void* from, std::uint64_t bytes) {
  if (from == nullptr || bytes < kOwnPages) return false;
  void* const place = const_cast<void*>(from);
  // A file that is mapped for reading can be pinned for reading only, where the device can do that.
  constexpr unsigned kAccess[] = {cudaHostRegisterMapped,
                                  cudaHostRegisterMapped | cudaHostRegisterReadOnly};
  for (const unsigned access : kAccess) {
    if (cudaHostRegister(place, bytes, access) == cudaSuccess) {
      registered_ = place;
      return true;
    }
    cudaGetLastError();
  }
  return false;
}

HostArray::HostArray(const void* from, std::uint64_t bytes, const std::string& name) {
  if (!pin_in_place(from, bytes)) {
    check(cudaHostAlloc(&copy_, std::max<std::uint64_t>(bytes, 1), cudaHostAllocMapped),
          "pin " + in_words(bytes) + " of host memory for '" + name + "'");
    if (from != nullptr) copy_in_parallel(copy_, from, bytes);
  }
  void* const place = registered_ != nullptr ? registered_ : copy_;
  check(cudaHostGetDevicePointer(&on_device_, place, 0), "map '" + name + "' for the device");
}

HostArray::~HostArray() {
  if (registered_ != nullptr) cudaHostUnregister(registered_);
  if (copy_ != nullptr) cudaFreeHost(copy_);
}

}  // namespace vertigo::gpu::detail
