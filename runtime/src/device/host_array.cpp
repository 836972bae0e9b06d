#include "host_array.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <new>

#include "check.h"
#include "graph/room.h"
#include "transfer.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/parallel.h"

namespace vertigo::gpu::detail {

namespace {

/// Pinning takes whole pages, and a page can be pinned once. Short arrays may share one.
constexpr std::uint64_t kOwnPages = 1u << 20;
/// From here on memory is written by all threads before it is pinned. CUDA's own allocation has one
/// thread clear it, 2 GB a second.
constexpr std::uint64_t kLarge = 64u << 20;

/// Large pages that all threads have written to; null where there is no room for them.
std::shared_ptr<void> touched(std::uint64_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  constexpr std::int64_t kSlice = 2 << 20;
  if (bytes > available_memory()) return nullptr;
  std::shared_ptr<void> room;
  try {
    room = uninitialised(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  auto* const begin = static_cast<volatile std::byte*>(room.get());
  const auto slices = static_cast<std::int64_t>(bytes / kSlice + 1);
#pragma omp parallel for schedule(static)
  for (std::int64_t slice = 0; slice < slices; ++slice) {
    const std::uint64_t end = std::min<std::uint64_t>(bytes, (slice + 1) * kSlice);
    for (std::uint64_t at = slice * kSlice; at < end; at += kPage) begin[at] = std::byte{0};
  }
  return room;
}

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
  if (bytes >= kLarge) {
    room_ = touched(bytes);
    if (room_ != nullptr && in_place(room_.get(), bytes)) return memory_;
    room_ = nullptr;
  }
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
