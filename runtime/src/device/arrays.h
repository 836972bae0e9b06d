#pragma once
// The arrays of a session on its device: those of the graph and of the program, and the words that
// tell the host about a step. Shared by the files of this folder only.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "device.h"
#include "device_memory.h"
#include "host_array.h"

namespace vertigo::gpu::detail {

class Arrays {
 public:
  explicit Arrays(Device& device) : device_(device) {}
  ~Arrays();
  Arrays(const Arrays&) = delete;

  /// Each `*place` is set by allocate(); a second declaration of the same place changes nothing.
  void declare(void** place, std::string name, std::uint64_t bytes, Home home = Home::Device);
  /// An array that allocate() fills with the host's `from`, which must stay where it is: until
  /// then, or as long as this lives where the home may be the host.
  void declare_filled(void** place, std::string name, const void* from, std::uint64_t bytes,
                      Home home = Home::Device);
  /// allocate() fills the declared array with zeros.
  void zero(void** place, std::uint64_t bytes) { zeroed_.push_back({place, bytes}); }
  /// Host memory for what a preparation makes, where kernels and copies find it.
  void* pin(std::uint64_t bytes, const char* name) {
    return on_host_.emplace_back(nullptr, bytes, name).on_device();
  }
  /// Flags, counters and lengths of worklists lie side by side, so that one copy of a few hundred
  /// bytes tells the host everything about a step.
  void declare_word(void** place);
  /// After the last word: the array that holds them.
  void declare_words();

  /// `allowed`: bytes, 0 for what is free. The words are zero afterwards.
  void allocate(std::uint64_t allowed, Edges edges);

  /// Waits for the stream and keeps all words as they are then.
  void read_words();
  /// A word as it was when it was read, by the place that allocate() gave it.
  std::uint64_t word(const void* place) const;

  DeviceMemory memory;

 private:
  struct Filled {
    void** place;
    const void* from;
    std::uint64_t bytes;
  };
  struct Zeroed {
    void** place;
    std::uint64_t bytes;
  };
  std::uint64_t word_bytes() const;
  /// Has an array of the host where kernels find it. `from`: null where it is not filled.
  void lend(void** place, const void* from, std::uint64_t bytes);

  Device& device_;
  std::vector<Filled> filled_;
  std::vector<Zeroed> zeroed_;
  std::deque<HostArray> on_host_;
  std::vector<void**> words_;
  std::uint64_t* device_words_ = nullptr;
  std::uint64_t* host_words_ = nullptr;  ///< pinned
};

}  // namespace vertigo::gpu::detail
