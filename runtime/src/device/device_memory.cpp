#include "device_memory.h"

#include <algorithm>

#include "check.h"
#include "vertigo/core/error.h"

namespace vertigo::gpu {

namespace {

struct DeviceBytes {
  std::size_t free = 0;
  std::size_t total = 0;
};

DeviceBytes ask_device() {
  DeviceBytes bytes;
  check(cudaMemGetInfo(&bytes.free, &bytes.total), "ask for the free device memory");
  return bytes;
}

std::uint64_t usable(std::uint64_t free, std::uint64_t allowed) {
  return allowed == 0 ? free : std::min(free, allowed);
}

}  // namespace

DeviceMemory::~DeviceMemory() {
  for (void* const array : allocated_) cudaFree(array);
}

void DeviceMemory::declare(void** place, std::string name, std::uint64_t bytes) {
  for (const Array& known : arrays_)
    if (known.place == place) return;
  arrays_.push_back({place, std::move(name), std::max<std::uint64_t>(bytes, 1)});
}

void DeviceMemory::reserve(std::string name, std::uint64_t bytes) {
  if (bytes > reserved_.bytes) reserved_ = {nullptr, std::move(name), bytes};
}

std::uint64_t DeviceMemory::declared() const {
  std::uint64_t sum = 0;
  for (const Array& array : arrays_) sum += allocated_bytes(array.bytes);
  return sum;
}

host::Footprint DeviceMemory::footprint(std::uint64_t allowed) const {
  host::Footprint footprint;
  for (const Array& array : arrays_)
    footprint.arrays.push_back({array.name, allocated_bytes(array.bytes), true});
  if (reserved_.bytes > 0)
    footprint.arrays.push_back({"while preparing: " + reserved_.name, reserved_.bytes, true});
  const auto [free, total] = ask_device();
  footprint.device_free = free;
  footprint.device_total = total;
  footprint.strategy = fits(footprint, allowed)
                           ? "resident: everything fits into device memory"
                           : "refused: " + in_words(needed()) + " are needed, " +
                                 in_words(usable(free, allowed)) + " may be used";
  return footprint;
}

std::uint64_t DeviceMemory::spare(std::uint64_t allowed) const {
  const auto beyond = [](std::uint64_t all, std::uint64_t taken) {
    return all > taken ? all - taken : 0;
  };
  const std::uint64_t of_device = beyond(ask_device().free, reserved_.bytes);
  return allowed == 0 ? of_device : std::min(of_device, beyond(allowed, needed()));
}

void DeviceMemory::allocate(std::uint64_t allowed) {
  const auto [free, total] = ask_device();
  if (needed() > usable(free, allowed)) {
    std::string message = "not enough device memory: " + in_words(needed()) + " are needed, " +
                          in_words(free) + " of " + in_words(total) + " are free";
    if (allowed != 0) message += ", --device-memory allows " + in_words(allowed);
    throw Error(ExitCode::OutOfMemory, message);
  }
  for (const Array& array : arrays_) {
    check(cudaMalloc(array.place, array.bytes),
          "allocate " + in_words(array.bytes) + " for '" + array.name + "'");
    allocated_.push_back(*array.place);
  }
}

bool fits(const host::Footprint& footprint, std::uint64_t allowed) {
  return footprint.bytes(true) <= usable(footprint.device_free, allowed);
}

}  // namespace vertigo::gpu
