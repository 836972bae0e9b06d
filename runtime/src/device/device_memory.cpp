#include "device_memory.h"

#include <algorithm>
#include <ranges>

#include "check.h"
#include "vertigo/core/error.h"

namespace vertigo::gpu {

namespace {

struct DeviceBytes {
  std::size_t free = 0;
  std::size_t total = 0;
};

/// `held`: bytes that count as free, for they are ours already.
DeviceBytes ask_device(std::uint64_t held = 0) {
  DeviceBytes bytes;
  check(cudaMemGetInfo(&bytes.free, &bytes.total), "ask for the free device memory");
  bytes.free += held;
  return bytes;
}

std::uint64_t usable(std::uint64_t free, std::uint64_t allowed) {
  return allowed == 0 ? free : std::min(free, allowed);
}

}  // namespace

DeviceMemory::~DeviceMemory() {
  for (void* const array : allocated_) cudaFree(array);
}

void DeviceMemory::declare(void** place, std::string name, std::uint64_t bytes, Home home) {
  for (const Array& known : arrays_)
    if (known.place == place) return;
  arrays_.push_back({place, std::move(name), std::max<std::uint64_t>(bytes, 1), home});
}

void DeviceMemory::declare_held(void** place, std::string name, std::uint64_t bytes,
                                const void* there) {
  const std::size_t before = arrays_.size();
  declare(place, std::move(name), bytes, Home::Device);
  if (arrays_.size() > before) arrays_.back().there = const_cast<void*>(there);
}

std::uint64_t DeviceMemory::held() const {
  std::uint64_t sum = 0;
  for (const Array& array : arrays_)
    if (array.there != nullptr) sum += allocated_bytes(array.bytes);
  return sum;
}

void DeviceMemory::declare_packed(void** place, std::string name, std::uint64_t bytes,
                                  std::uint64_t packed) {
  const std::size_t before = arrays_.size();
  declare(place, std::move(name), bytes, Home::DeviceOrPacked);
  if (arrays_.size() > before) arrays_.back().packed = std::max<std::uint64_t>(packed, 1);
}

const DeviceMemory::Array& DeviceMemory::find(void** place) const {
  return *std::ranges::find(arrays_, place, &Array::place);
}
bool DeviceMemory::is_on_host(void** place) const { return find(place).on_host; }
const std::string& DeviceMemory::name_of(void** place) const { return find(place).name; }

void DeviceMemory::settle(std::uint64_t usable, Edges edges) {
  const bool on_host = edges == Edges::OnHost || edges == Edges::InParts;
  for (Array& array : arrays_) array.on_host = on_host && array.home != Home::Device;
  if (edges == Edges::WhereTheyFit) {
    // The graph goes before what is made of it, and what is declared first is used most.
    for (const bool made : {false, true})
      for (Array& array : std::views::reverse(arrays_))
        if (array.home != Home::Device && is_made(array.home) == made && needed() > usable)
          array.on_host = true;
    // What has gone in vain, because a longer array has to go too, comes back.
    for (const bool made : {true, false})
      for (Array& array : arrays_)
        if (array.on_host && is_made(array.home) == made &&
            needed() + allocated_bytes(array.bytes) <= usable)
          array.on_host = false;
  }
  std::string kept_away;
  std::uint64_t bytes = 0;
  bool at_most = false;
  bool on_file = false;
  for (const Array& array : arrays_) {
    if (!array.on_host) continue;
    kept_away += (kept_away.empty() ? "" : ", ") + array.name;
    if (array.packed != 0) kept_away += " (packed)";
    bytes += array.packed != 0 ? array.packed : array.bytes;
    at_most = at_most || array.packed != 0;
    on_file = on_file || array.home == Home::File;
  }
  placement_.clear();
  rest_.bytes = rest_of(usable);
  if (kept_away.empty()) return;
  placement_ = (at_most ? "at most " : "") + in_words(bytes) +
               " read in host memory: " + kept_away +
               (edges == Edges::OnHost ? " (asked for)" : " (the device has too little memory)");
  if (edges == Edges::InParts)
    placement_ = in_words(bytes) + " of edges in " + (on_file ? "the file" : "host memory") + ", " +
                 in_words(rest_.bytes) + " on the device for parts of them";
}

std::uint64_t DeviceMemory::rest_of(std::uint64_t usable) const {
  if (needed() >= usable) return least_rest_;
  // A little is left to those who share the device, and to CUDA.
  const std::uint64_t more = (usable - needed()) / 16 * 15;
  return std::min(most_rest_, (least_rest_ + more) / allocated_bytes(1) * allocated_bytes(1));
}

void DeviceMemory::declare_rest(void** place, std::string name, std::uint64_t least,
                                std::uint64_t most) {
  rest_ = {place, std::move(name), 0};
  least_rest_ = allocated_bytes(least);
  most_rest_ = allocated_bytes(most);
}

void DeviceMemory::reserve(std::string name, std::uint64_t bytes) {
  if (bytes > reserved_.bytes) reserved_ = {nullptr, std::move(name), bytes};
}

std::uint64_t DeviceMemory::declared() const {
  std::uint64_t sum = 0;
  for (const Array& array : arrays_)
    if (!array.on_host) sum += allocated_bytes(array.bytes);
  return sum;
}

host::Footprint DeviceMemory::footprint(std::uint64_t allowed, Edges edges) {
  const auto [free, total] = ask_device(held());
  settle(usable(free, allowed), edges);
  host::Footprint footprint;
  // The graph is among the host's arrays already.
  for (const Array& array : arrays_)
    if (!array.on_host)
      footprint.arrays.push_back({array.name, allocated_bytes(array.bytes), true});
    else if (array.packed != 0)
      footprint.arrays.push_back({array.name + ", packed, at most", array.packed, false});
    else if (array.home == Home::EitherMade)
      footprint.arrays.push_back({array.name, array.bytes, false});
    else if (array.home == Home::File)
      footprint.arrays.push_back({array.name, array.bytes, false, true});
  for (const host::ArrayBytes& array : of_others_) footprint.arrays.push_back(array);
  if (const std::uint64_t more = left_for_packed(usable(free, allowed), edges); more > 0)
    footprint.arrays.push_back({"of what is packed", more, true});
  if (rest_.bytes > 0) footprint.arrays.push_back({rest_.name, rest_.bytes, true});
  if (reserved_.bytes > 0)
    footprint.arrays.push_back({"while preparing: " + reserved_.name, reserved_.bytes, true});
  footprint.device_free = free;
  footprint.device_total = total;
  footprint.strategy =
      fits(footprint, allowed)
          ? (placement_.empty()
                 ? "resident: everything fits into device memory"
                 : (edges == Edges::InParts ? "in parts: " : "zero-copy: ") + placement_)
          : "refused: " + in_words(needed()) + " are needed, " + in_words(usable(free, allowed)) +
                " may be used";
  return footprint;
}

std::uint64_t DeviceMemory::spare(std::uint64_t allowed) const {
  const auto beyond = [](std::uint64_t all, std::uint64_t taken) {
    return all > taken ? all - taken : 0;
  };
  const std::uint64_t of_device = beyond(ask_device().free, reserved_.bytes);
  return allowed == 0 ? of_device
                      : std::min(of_device, beyond(allowed, needed() + rest_.bytes - least_rest_));
}

std::uint64_t DeviceMemory::left(std::uint64_t allowed, Edges edges) const {
  if (edges != Edges::WhereTheyFit) return 0;
  // A little is left to those who share the device, and to CUDA.
  const std::uint64_t free = ask_device().free / 16 * 15;
  return allowed == 0 ? free : std::min<std::uint64_t>(free, left_of(allowed, declared()));
}

std::uint64_t DeviceMemory::left_for_packed(std::uint64_t usable, Edges edges) const {
  if (edges != Edges::WhereTheyFit) return 0;
  std::uint64_t wanted = 0;
  for (const Array& array : arrays_)
    if (array.on_host) wanted += array.packed;
  return left_of(std::min(wanted, left_of(usable, declared())), reserved_.bytes);
}

void* DeviceMemory::take_left(std::uint64_t bytes) {
  void* place = nullptr;
  if (cudaMalloc(&place, bytes) != cudaSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  allocated_.push_back(place);
  return place;
}

void DeviceMemory::allocate(std::uint64_t allowed, Edges edges) {
  const auto [free, total] = ask_device(held());
  settle(usable(free, allowed), edges);
  if (needed() > usable(free, allowed)) {
    std::string message = "not enough device memory: " + in_words(needed()) + " are needed, " +
                          in_words(free) + " of " + in_words(total) + " are free";
    if (allowed != 0) message += ", --device-memory allows " + in_words(allowed);
    throw Error(ExitCode::OutOfMemory, message);
  }
  for (const Array& array : arrays_) {
    if (array.on_host) continue;
    if (array.there != nullptr) {
      *array.place = array.there;
      continue;
    }
    check(cudaMalloc(array.place, array.bytes),
          "allocate " + in_words(array.bytes) + " for '" + array.name + "'");
    allocated_.push_back(*array.place);
  }
  allocate_rest();
}

void DeviceMemory::allocate_rest() {
  // Others may have taken memory meanwhile; with less of it, more travels.
  for (; rest_.bytes >= least_rest_ && rest_.bytes > 0; rest_.bytes /= 2) {
    if (cudaMalloc(rest_.place, rest_.bytes) == cudaSuccess) {
      allocated_.push_back(*rest_.place);
      return;
    }
    cudaGetLastError();
  }
  rest_.bytes = 0;
}

bool fits(const host::Footprint& footprint, std::uint64_t allowed) {
  return footprint.bytes(true) <= usable(footprint.device_free, allowed);
}

}  // namespace vertigo::gpu
