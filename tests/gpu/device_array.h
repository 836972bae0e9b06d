#pragma once
// Arrays on the device, for tests.

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "vertigo/core/error.h"

namespace vertigo {

/// Throws Error where a call of the runtime failed.
inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw Error(ExitCode::DeviceUnusable, cudaGetErrorString(code));
}

/// An array on the device.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, std::max<std::size_t>(count, 1) * sizeof(T)));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    check(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  T* get() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> values(count_);
    check(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

}  // namespace vertigo
