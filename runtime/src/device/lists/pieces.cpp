#include "pieces.h"

#include <algorithm>

#include "../check.h"
#include "vertigo/core/parallel.h"

namespace vertigo::gpu::lists {

namespace {
constexpr std::uint64_t kPiece = graph::PieceSink::kPiece;
}

Pieces::Pieces(cudaStream_t stream) : stream_(stream) {
  check(cudaGetDevice(&device_), "ask for the device");
}

Pieces::~Pieces() {
  for (const OfThread& thread : threads_) {
    for (const cudaEvent_t event : thread.travelled)
      if (event != nullptr) cudaEventDestroy(event);
    if (thread.memory != nullptr) cudaFreeHost(thread.memory);
  }
}

void Pieces::fill(void* to, const graph::Deliver& deliver) {
  to_ = static_cast<std::byte*>(to);
  threads_.resize(std::max(threads_.size(), static_cast<std::size_t>(thread_count())));
  try {
    deliver(*this);
  } catch (...) {
    cudaStreamSynchronize(stream_);
    throw;
  }
  check(cudaStreamSynchronize(stream_), "copy to the device");
}

Pieces::OfThread& Pieces::own() { return threads_[static_cast<std::size_t>(thread_index())]; }

std::byte* Pieces::take() {
  OfThread& own = this->own();
  if (own.memory == nullptr) {
    check(cudaSetDevice(device_), "use the device");
    for (cudaEvent_t& event : own.travelled)
      if (event == nullptr) event = make_event();
    check(cudaMallocHost(reinterpret_cast<void**>(&own.memory), 2 * kPiece),
          "pin " + in_words(2 * kPiece) + " of host memory");
  }
  check(cudaEventSynchronize(own.travelled[own.turn]), "copy to the device");
  return own.memory + own.turn * kPiece;
}

void Pieces::send(std::uint64_t at, std::size_t bytes) {
  OfThread& own = this->own();
  check(cudaMemcpyAsync(to_ + at, own.memory + own.turn * kPiece, bytes, cudaMemcpyHostToDevice,
                        stream_),
        "copy to the device");
  check(cudaEventRecord(own.travelled[own.turn], stream_), "copy to the device");
  own.turn ^= 1;
}

}  // namespace vertigo::gpu::lists
