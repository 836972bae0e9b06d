#pragma once
// A device on which lists are made, kept and asked for values, by whichever thread.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "../check.h"
#include "../device.h"
#include "device_array.h"
#include "pieces.h"
#include "vertigo/core/error.h"

namespace vertigo::gpu::lists {

/// Several lists share it; one of them at a time uses its stream.
struct SharedDevice {
  explicit SharedDevice(unsigned n) : number(n), device(n) {}
  void fetch(void* to, const void* from, std::uint64_t bytes);
  /// Brings an array to the device. Returns when all is there; throws what delivering throws.
  void fill(void* to, const graph::Deliver& deliver);
  /// kScratch bytes on the device, for whoever has its turn: to allocate memory and free it takes
  /// longer than a short way there and back.
  std::byte* scratch();

  static constexpr std::uint64_t kScratch = 128u << 10;
  unsigned number;
  gpu::detail::Device device;
  std::recursive_mutex mutex;

 private:
  DeviceArray<std::byte> scratch_;
  std::optional<Pieces> pieces_;
};

/// The device is the calling thread's for a while.
class Turn {
 public:
  explicit Turn(SharedDevice& shared) : lock_(shared.mutex) {
    check(cudaGetDevice(&before_), "ask for the device");
    check(cudaSetDevice(static_cast<int>(shared.number)), "choose the device");
  }
  ~Turn() { cudaSetDevice(before_); }
  Turn(const Turn&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  int before_ = 0;
};

/// Nothing where the device has too little memory: the host has more.
template <class Work>
auto unless_short_of_memory(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != ExitCode::OutOfMemory) throw;
    return std::nullopt;
  }
}

template <class T>
T fetched(const T* from, cudaStream_t stream, const char* purpose) {
  T value{};
  check(cudaMemcpyAsync(&value, from, sizeof value, cudaMemcpyDeviceToHost, stream), purpose);
  check(cudaStreamSynchronize(stream), purpose);
  return value;
}

/// Values on the device, of which every byte is 0.
template <class T>
DeviceArray<T> zeros(std::uint64_t count, cudaStream_t stream, const char* purpose) {
  DeviceArray<T> place(count, purpose);
  check(cudaMemsetAsync(place.data(), 0, count * sizeof(T), stream), purpose);
  return place;
}

}  // namespace vertigo::gpu::lists
