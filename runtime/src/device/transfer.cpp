#include "transfer.h"

#include <algorithm>
#include <utility>

#include "check.h"
#include "vertigo/core/parallel.h"

namespace vertigo::gpu {

Staging::~Staging() {
  for (unsigned i = 0; i < 2; ++i) {
    if (travelled_[i] != nullptr) cudaEventDestroy(travelled_[i]);
    if (buffers_[i] != nullptr) cudaFreeHost(buffers_[i]);
  }
}

void Staging::prepare(std::uint64_t bytes) {
  const std::uint64_t size = bytes <= kSmallPiece ? kSmallPiece : kPiece;
  if (size <= size_) return;
  for (unsigned i = 0; i < 2; ++i) {
    if (travelled_[i] == nullptr)
      check(cudaEventCreateWithFlags(&travelled_[i], cudaEventDisableTiming), "create an event");
    if (buffers_[i] != nullptr) {
      check(cudaEventSynchronize(travelled_[i]), "copy to the device");
      cudaFreeHost(std::exchange(buffers_[i], nullptr));
    }
    check(cudaMallocHost(reinterpret_cast<void**>(&buffers_[i]), size),
          "pin " + in_words(size) + " of host memory");
  }
  size_ = size;
}

void Staging::to_device(void* to, const void* from, std::uint64_t bytes, cudaStream_t stream) {
  prepare(bytes);
  unsigned turn = 0;
  for (std::uint64_t at = 0; at < bytes; at += kPiece, turn ^= 1) {
    const std::uint64_t size = std::min(kPiece, bytes - at);
    check(cudaEventSynchronize(travelled_[turn]), "copy to the device");
    copy_in_parallel(buffers_[turn], static_cast<const std::byte*>(from) + at, size);
    check(cudaMemcpyAsync(static_cast<std::byte*>(to) + at, buffers_[turn], size,
                          cudaMemcpyHostToDevice, stream),
          "copy to the device");
    check(cudaEventRecord(travelled_[turn], stream), "copy to the device");
  }
}

void Staging::from_device(const void* from, std::uint64_t bytes, cudaStream_t stream,
                          const Receive& receive) {
  prepare(bytes);
  const auto request = [&](std::uint64_t at, unsigned turn) {
    check(cudaMemcpyAsync(buffers_[turn], static_cast<const std::byte*>(from) + at,
                          std::min(kPiece, bytes - at), cudaMemcpyDeviceToHost, stream),
          "copy from the device");
    check(cudaEventRecord(travelled_[turn], stream), "copy from the device");
  };
  if (bytes > 0) request(0, 0);
  unsigned turn = 0;
  for (std::uint64_t at = 0; at < bytes; at += kPiece, turn ^= 1) {
    if (at + kPiece < bytes) request(at + kPiece, turn ^ 1);
    check(cudaEventSynchronize(travelled_[turn]), "copy from the device");
    receive(buffers_[turn], at, std::min(kPiece, bytes - at));
  }
}

}  // namespace vertigo::gpu
