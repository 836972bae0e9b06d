#pragma once
// The bytes of a file to the device: all threads read pieces of it into pinned memory, and each
// piece travels while its thread reads the next.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "vertigo/graph/reading_device.h"

namespace vertigo::gpu::lists {

/// Two pinned pieces for each thread that takes some. Pinning takes as long as reading so many
/// bytes.
class Pieces final : public graph::PieceSink {
 public:
  /// `to`: on the calling thread's device.
  Pieces(void* to, cudaStream_t stream);
  Pieces(const Pieces&) = delete;
  /// Waits until what was sent is there, whatever happened.
  ~Pieces() override;

  std::byte* take() override;
  void send(std::uint64_t at, std::size_t bytes) override;
  /// Returns when all that was sent is there.
  void finish();

 private:
  struct OfThread {
    std::byte* memory = nullptr;
    cudaEvent_t travelled[2] = {};
    unsigned turn = 0;  ///< which of the two is filled
  };
  OfThread& own();

  std::byte* to_;
  cudaStream_t stream_;
  int device_ = 0;
  std::vector<OfThread> threads_;
};

/// Returns when all is there. Throws what delivering throws.
void fill(void* to, const graph::Deliver& deliver, cudaStream_t stream);

}  // namespace vertigo::gpu::lists
