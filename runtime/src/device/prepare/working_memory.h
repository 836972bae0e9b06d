#pragma once
// Device memory for the time of one preparation.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../check.h"
#include "../device_memory.h"

namespace vertigo::gpu::prepare {

/// What WorkingMemory::take() takes from the device.
template <class T>
constexpr std::uint64_t array_bytes(std::uint64_t count) {
  return allocated_bytes((count == 0 ? 1 : count) * sizeof(T));
}

class WorkingMemory {
 public:
  explicit WorkingMemory(cudaStream_t stream) : stream_(stream) {}
  WorkingMemory(const WorkingMemory&) = delete;
  WorkingMemory& operator=(const WorkingMemory&) = delete;
  /// Waits for the stream: what runs may still use the arrays.
  ~WorkingMemory() {
    cudaStreamSynchronize(stream_);
    for (void* const array : arrays_) cudaFree(array);
  }

  template <class T>
  T* take(std::uint64_t count, const char* purpose) {
    const std::uint64_t bytes = (count == 0 ? 1 : count) * sizeof(T);
    void* array = nullptr;
    check(cudaMalloc(&array, bytes), "allocate " + in_words(bytes) + " to " + purpose);
    arrays_.push_back(array);
    return static_cast<T*>(array);
  }
  /// Waits for the stream, for there is no exception in a destructor to tell of a failed kernel.
  void finish(const char* purpose) { check(cudaStreamSynchronize(stream_), purpose); }
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_;
  std::vector<void*> arrays_;
};

}  // namespace vertigo::gpu::prepare
