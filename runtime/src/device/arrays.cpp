#include "arrays.h"

#include <algorithm>
#include <utility>

#include "check.h"
#include "vertigo/device/loop_state.cuh"

namespace vertigo::gpu::detail {

Arrays::~Arrays() {
  cudaStreamSynchronize(device_.stream);
  if (host_words_ != nullptr) cudaFreeHost(host_words_);
}

void Arrays::declare(void** place, std::string name, std::uint64_t bytes, Home home) {
  memory.declare(place, std::move(name), bytes, home);
}

void Arrays::declare_filled(void** place, std::string name, const void* from, std::uint64_t bytes,
                            Home home) {
  memory.declare(place, std::move(name), bytes, home);
  filled_.push_back({place, from, bytes});
}

void Arrays::declare_word(void** place) {
  if (std::ranges::find(words_, place) == words_.end()) words_.push_back(place);
}

std::uint64_t Arrays::word_bytes() const { return words_.size() * kTurns * sizeof(std::uint64_t); }

void Arrays::declare_words() {
  memory.declare(reinterpret_cast<void**>(&device_words_), "flags and counters", word_bytes());
}

void Arrays::allocate(std::uint64_t allowed, Edges edges) {
  memory.allocate(allowed, edges);
  check(cudaMallocHost(reinterpret_cast<void**>(&host_words_),
                       std::max<std::uint64_t>(word_bytes(), 8)),
        "pin host memory");
  check(cudaMemsetAsync(device_words_, 0, word_bytes(), device_.stream), "clear the counters");
  for (std::size_t i = 0; i < words_.size(); ++i) *words_[i] = device_words_ + i * kTurns;
  for (const Zeroed& zeroed : zeroed_)
    check(cudaMemsetAsync(*zeroed.place, 0, zeroed.bytes, device_.stream), "clear an array");
  for (const Filled& filled : filled_) {
    if (memory.is_on_host(filled.place))
      lend(filled.place, filled.from, filled.bytes);
    else
      device_.staging.to_device(*filled.place, filled.from, filled.bytes, device_.stream);
  }
  memory.for_made_on_host(
      [this](void** place, std::uint64_t bytes) { lend(place, nullptr, bytes); });
}

void Arrays::lend(void** place, const void* from, std::uint64_t bytes) {
  *place = on_host_.emplace_back(from, bytes, memory.name_of(place)).on_device();
}

void Arrays::read_words() {
  check(cudaMemcpyAsync(host_words_, device_words_, word_bytes(), cudaMemcpyDeviceToHost,
                        device_.stream),
        "read the step's result");
  check(cudaStreamSynchronize(device_.stream), "run the kernels of this step");
}

std::uint64_t Arrays::word(const void* place) const {
  return host_words_[static_cast<const std::uint64_t*>(place) - device_words_];
}

}  // namespace vertigo::gpu::detail
