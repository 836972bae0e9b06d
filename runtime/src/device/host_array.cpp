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

bool HostArray::Pinned::in_place(const void* from, std::uint64_t bytes) {
  if (from == nullptr || bytes < kOwnPages) return false;
  void* const place = const_cast<void*>(from);
  // A file that is mapped for reading can be pinned for reading only, where the device can do that.
  constexpr unsigned kAccess[] = {cudaHostRegisterMapped,
                                  cudaHostRegisterMapped | cudaHostRegisterReadOnly};
  for (const unsigned access : kAccess) {
    if (cudaHostRegister(place, bytes, access) == cudaSuccess) {
      memory_ = place;
      return true;
    }
    cudaGetLastError();
  }
  return false;
}

void* HostArray::Pinned::allocate(std::uint64_t bytes, const std::string& name) {
  check(cudaHostAlloc(&memory_, std::max<std::uint64_t>(bytes, 1), cudaHostAllocMapped),
        "pin " + in_words(bytes) + " of host memory for '" + name + "'");
  is_own_ = true;
  return memory_;
}

HostArray::Pinned::~Pinned() {
  if (memory_ == nullptr) return;
  if (is_own_)
    cudaFreeHost(memory_);
  else
    cudaHostUnregister(memory_);
}

HostArray::HostArray(const void* from, std::uint64_t bytes, const std::string& name) {
  if (!pinned_.in_place(from, bytes)) {
    void* const copy = pinned_.allocate(bytes, name);
    if (from != nullptr) copy_in_parallel(copy, from, bytes);
  }
  check(cudaHostGetDevicePointer(&on_device_, pinned_.begin(), 0),
        "map '" + name + "' for the device");
}

}  // namespace vertigo::gpu::detail
