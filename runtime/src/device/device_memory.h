#pragma once
// Arrays on the device: declared first, then checked against the memory that is free or allowed,
// allocated one by one (so that a memory checker sees the gaps between them), freed together.

#include <cstdint>
#include <string>
#include <vector>

#include "memory_plan.h"
#include "vertigo/host/program.h"

namespace vertigo::gpu {

/// What an array takes: cudaMalloc hands out multiples of 512. Arrays are asked for at their own
/// length all the same: a checker of memory sees their end then.
constexpr std::uint64_t allocated_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kGranularity = 512;
  return (bytes + kGranularity - 1) / kGranularity * kGranularity;
}

/// Where an array may lie.
enum class Home {
  Device,
  Either,      ///< or in host memory, where kernels read it over the link
  EitherMade,  ///< the same of what is made of the graph, which is read more often than the graph
  File,        ///< in no memory: parts of it are read when they are wanted
  DeviceOrPacked,  ///< the same, but whoever made it keeps it in host memory in a form of its own
};
constexpr bool is_made(Home home) {
  return home == Home::EitherMade || home == Home::DeviceOrPacked;
}

class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// `*place` is set by allocate(); a second declaration of the same place changes nothing.
  void declare(void** place, std::string name, std::uint64_t bytes, Home home = Home::Device);
  /// An array that lies there already, and that its owner frees.
  void declare_held(void** place, std::string name, std::uint64_t bytes, const void* there);
  /// An array that lies on the device as a whole, or is packed: then `*place` becomes null, and its
  /// owner asks for at most `packed` bytes of host memory, some of which it may move to
  /// take_left().
  void declare_packed(void** place, std::string name, std::uint64_t bytes, std::uint64_t packed);
  /// What is left when everything else has its place, from `least` to `most` bytes: for edges that
  /// come and go.
  void declare_rest(void** place, std::string name, std::uint64_t least, std::uint64_t most);
  /// Host memory that somebody else allocates.
  void note_on_host(std::string name, std::uint64_t bytes) {
    of_others_.push_back({std::move(name), bytes, false});
  }
  /// After allocate(): what was left.
  std::uint64_t rest() const { return rest_.bytes; }
  /// Memory that is taken and given back while the graph is prepared: preparations follow each
  /// other, so the one that takes most is what counts.
  void reserve(std::string name, std::uint64_t bytes);
  /// Of the arrays on the device.
  std::uint64_t declared() const;
  /// What is declared and what is reserved.
  std::uint64_t needed() const { return declared() + least_rest_ + reserved_.bytes; }
  /// What is left of `allowed` (0: of the device's memory) once everything is allocated, besides
  /// what is reserved.
  std::uint64_t spare(std::uint64_t allowed) const;
  /// The same when all preparations have given back what they took; 0 where no array is to come to
  /// the device.
  std::uint64_t left(std::uint64_t allowed, Edges edges) const;
  /// Device memory for as long as this lives, of what is left; null where it cannot be had.
  void* take_left(std::uint64_t bytes);
  /// The arrays by name, where they would lie, and what is free.
  host::Footprint footprint(std::uint64_t allowed, Edges edges);
  /// `allowed`: bytes, 0 for what is free. Throws Error(OutOfMemory) before it allocates anything
  /// where the sum is too much.
  void allocate(std::uint64_t allowed, Edges edges);
  /// After allocate(): the array stays in host memory, and its place is not set.
  bool is_on_host(void** place) const;
  const std::string& name_of(void** place) const;
  /// visit(place, bytes) for what is made of the graph and lies in host memory.
  template <class Visit>
  void for_made_on_host(const Visit& visit) const {
    for (const Array& array : arrays_)
      if (array.on_host && array.home == Home::EitherMade) visit(array.place, array.bytes);
  }
  /// What lies in host memory and why, in one line; empty where all is on the device.
  const std::string& placement() const { return placement_; }
  /// Adds to it.
  void note(const std::string& words) { placement_ += (placement_.empty() ? "" : "; ") + words; }

 private:
  struct Array {
    void** place;
    std::string name;
    std::uint64_t bytes;
    Home home = Home::Device;
    bool on_host = false;
    std::uint64_t packed = 0;  ///< bytes at most, where Home::DeviceOrPacked lies on the host
    void* there = nullptr;     ///< where it lies already
  };
  static std::uint64_t left_of(std::uint64_t usable, std::uint64_t taken) {
    return usable > taken ? usable - taken : 0;
  }
  /// What packed arrays may have of the device beyond what preparations give back.
  std::uint64_t left_for_packed(std::uint64_t usable, Edges edges) const;
  const Array& find(void** place) const;
  /// Of the arrays that lie there already: the device's free memory is less by them.
  std::uint64_t held() const;
  std::uint64_t rest_of(std::uint64_t usable) const;
  void allocate_rest();
  /// Decides what lies where.
  void settle(std::uint64_t usable, Edges edges);

  std::vector<Array> arrays_;
  Array reserved_{nullptr, "", 0};
  Array rest_{nullptr, "", 0};
  std::uint64_t least_rest_ = 0;
  std::uint64_t most_rest_ = 0;
  std::string placement_;
  std::vector<host::ArrayBytes> of_others_;
  std::vector<void*> allocated_;
};

/// `allowed` as in DeviceMemory::allocate().
bool fits(const host::Footprint& footprint, std::uint64_t allowed);

}  // namespace vertigo::gpu
