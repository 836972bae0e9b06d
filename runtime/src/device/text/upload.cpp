#include "upload.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "../check.h"
#include "vertigo/core/parallel.h"

namespace vertigo::gpu::text {

namespace {

/// Large enough that reading and sending cost more than asking for them; pinning takes as long as
/// reading so many bytes.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;

/// Two pinned pieces for each thread.
class Pieces {
 public:
  explicit Pieces(unsigned threads) : travelled_(std::size_t{2} * threads) {
    const std::uint64_t bytes = travelled_.size() * kPiece;
    check(cudaMallocHost(reinterpret_cast<void**>(&memory_), bytes),
          "pin " + in_words(bytes) + " of host memory");
    for (cudaEvent_t& event : travelled_) event = make_event();
  }
  Pieces(const Pieces&) = delete;
  ~Pieces() {
    for (const cudaEvent_t event : travelled_)
      if (event != nullptr) cudaEventDestroy(event);
    cudaFreeHost(memory_);
  }
  /// Waits until what the piece held is on the device.
  char* take(std::size_t piece) {
    check(cudaEventSynchronize(travelled_[piece]), "copy to the device");
    return memory_ + piece * kPiece;
  }
  void sent(std::size_t piece, cudaStream_t stream) {
    check(cudaEventRecord(travelled_[piece], stream), "copy to the device");
  }

 private:
  char* memory_ = nullptr;
  std::vector<cudaEvent_t> travelled_;
};

}  // namespace

void upload(const ReadBytes& read, std::uint64_t begin, std::uint64_t bytes, char* to,
            cudaStream_t stream) {
  const std::uint64_t pieces = (bytes + kPiece - 1) / kPiece;
  const auto threads =
      static_cast<unsigned>(std::min<std::uint64_t>(static_cast<unsigned>(thread_count()), pieces));
  Pieces pinned(std::max(threads, 1u));
  int device = 0;
  check(cudaGetDevice(&device), "ask for the device");
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  ExceptionCarrier carrier;
#pragma omp parallel num_threads(static_cast<int>(std::max(threads, 1u)))
  carrier.run([&] {
    try {
      check(cudaSetDevice(device), "use the device");
      std::size_t piece = 2 * static_cast<std::size_t>(thread_index());
      for (std::uint64_t i = next++; i < pieces && !failed; i = next++) {
        const std::uint64_t at = i * kPiece;
        const std::uint64_t size = std::min(kPiece, bytes - at);
        char* const from = pinned.take(piece);
        read(begin + at, from, size);
        check(cudaMemcpyAsync(to + at, from, size, cudaMemcpyHostToDevice, stream),
              "copy to the device");
        pinned.sent(piece, stream);
        piece ^= 1;
      }
    } catch (...) {
      failed = true;
      throw;
    }
  });
  // Before the pinned memory goes, whatever happened.
  const cudaError_t arrived = cudaStreamSynchronize(stream);
  carrier.rethrow();
  check(arrived, "copy to the device");
}

}  // namespace vertigo::gpu::text
