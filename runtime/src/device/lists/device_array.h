#pragma once
// An array of device memory that its owner frees.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>

#include "../check.h"

namespace vertigo::gpu::lists {

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  /// Throws Error(OutOfMemory); `purpose` is for its message.
  DeviceArray(std::uint64_t count, const char* purpose) {
    const std::uint64_t bytes = (count == 0 ? 1 : count) * sizeof(T);
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "allocate " + in_words(bytes) + " to " + purpose);
    data_ = static_cast<T*>(memory);
  }
  DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  /// Waits for what runs on the device.
  ~DeviceArray() { cudaFree(data_); }

  T* data() const { return data_; }
  void free() { DeviceArray().swap(*this); }
  /// The same memory for values of another type.
  template <class U>
  DeviceArray<U> as() && {
    return DeviceArray<U>(reinterpret_cast<U*>(std::exchange(data_, nullptr)));
  }
  void swap(DeviceArray& other) noexcept { std::swap(data_, other.data_); }

 private:
  template <class U>
  friend class DeviceArray;
  explicit DeviceArray(T* data) : data_(data) {}

  T* data_ = nullptr;
};

}  // namespace vertigo::gpu::lists
