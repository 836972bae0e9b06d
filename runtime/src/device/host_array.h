#pragma once
// An array of the host that kernels read where it lies, over the link to the device: it is pinned
// and mapped into the device's addresses (HyTGraph, section 2: zero-copy).

#include <cstdint>
#include <string>

namespace vertigo::gpu::detail {

class HostArray {
 public:
  /// Pins the bytes in place where CUDA and the memory allow that, else a copy of them. `from` must
  /// stay as it is while this lives; null: the array is new, and holds anything. Throws
  /// Error(OutOfMemory) where neither can be had; `name` is for its message.
  HostArray(const void* from, std::uint64_t bytes, const std::string& name);
  ~HostArray();
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;

  void* on_device() const { return on_device_; }

 private:
  bool pin_in_place(const void* from, std::uint64_t bytes);

  void* registered_ = nullptr;
  void* copy_ = nullptr;
  void* on_device_ = nullptr;
};

}  // namespace vertigo::gpu::detail
