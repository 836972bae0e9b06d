#include "shared_device.h"

#include "vertigo/core/parallel.h"

namespace vertigo::gpu::lists {

void SharedDevice::fetch(void* to, const void* from, std::uint64_t bytes) {
  device.staging.from_device(from, bytes, device.stream,
                             [&](const std::byte* piece, std::uint64_t at, std::uint64_t size) {
                               copy_in_parallel(static_cast<std::byte*>(to) + at, piece, size);
                             });
}

void SharedDevice::fill(void* to, const graph::Deliver& deliver) {
  if (!pieces_) pieces_.emplace(device.stream);
  pieces_->fill(to, deliver);
}

std::byte* SharedDevice::scratch() {
  if (scratch_.data() == nullptr) scratch_ = DeviceArray<std::byte>(kScratch, "look at some edges");
  return scratch_.data();
}

}  // namespace vertigo::gpu::lists
