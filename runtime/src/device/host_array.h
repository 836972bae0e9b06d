#pragma once
// An array of the host that kernels read where it lies, over the link to the device: it is pinned
// and mapped into the device's addresses (HyTGraph, section 2: zero-copy).

#include <cstdint>
#include <memory>
#include <string>

namespace vertigo::gpu::detail {

class HostArray {
 public:
  /// Pins the bytes in place where CUDA and the memory allow that, else a copy of them. `from` must
  /// stay as it is while this lives; null: the array is new, and holds anything. Throws
  /// Error(OutOfMemory) where neither can be had; `name` is for its message.
  HostArray(const void* from, std::uint64_t bytes, const std::string& name);

  void* on_device() const { return on_device_; }

 private:
  /// Pinned memory: somebody else's, or its own.
  class Pinned {
   public:
    Pinned() = default;
    ~Pinned();
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

    bool in_place(const void* from, std::uint64_t bytes);
    void* allocate(std::uint64_t bytes, const std::string& name);
    void* begin() const { return memory_; }

   private:
    std::shared_ptr<void> room_;  ///< what is pinned, where CUDA did not allocate it
    void* memory_ = nullptr;
    bool is_own_ = false;
  };

  Pinned pinned_;
  void* on_device_ = nullptr;
};

}  // namespace vertigo::gpu::detail
