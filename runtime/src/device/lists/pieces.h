#pragma once
// The bytes of a file to the device: all threads read pieces of it into pinned memory, and each
// piece travels while its thread reads the next.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "vertigo/graph/reading_device.h"

namespace vertigo::gpu::lists {

/// Two pinned pieces for each thread that takes some. Pinning takes as long as reading so many
/// bytes, and so does its end: the pieces stay for the arrays that follow.
class Pieces final : public graph::PieceSink {
 public:
  /// For the calling thread's device.
  explicit Pieces(cudaStream_t stream);
  Pieces(const Pieces&) = delete;
  ~Pieces() override;

  /// Brings an array there. Returns when all of it is there, or when nothing of it travels any
  /// more: throws what delivering throws.
  void fill(void* to, const graph::Deliver& deliver);

  std::byte* take() override;
  void send(std::uint64_t at, std::size_t bytes) override;

 private:
  struct OfThread {
    std::byte* memory = nullptr;
    cudaEvent_t travelled[2] = {};
    unsigned turn = 0;  ///< which of the two is filled
  };
  OfThread& own();

  std::byte* to_ = nullptr;
  cudaStream_t stream_;
  int device_ = 0;
  std::vector<OfThread> threads_;
};

}  // namespace vertigo::gpu::lists
