#pragma once
// Devices that are this process, and their streams. What CUDA does later is done later here, too:
// as late as the program can notice, when it waits for the stream. So a host that reads before it
// waits sees what was there before. Kernels that stand in several streams then run at the same
// time.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "emulator.h"

struct CUevent_st {
  std::shared_ptr<std::uint64_t> time = std::make_shared<std::uint64_t>(0);
  cudaStream_t stream = nullptr;  ///< in which it was recorded last, behind `position` actions
  std::uint64_t position = 0;
};

namespace emulator {

/// What a stream does: one of the three.
struct Action {
  std::function<void()> step = {};
  std::optional<Launch> launch = {};
  cudaStream_t awaited = nullptr;  ///< until it has done `position` actions
  std::uint64_t position = 0;
};

}  // namespace emulator

struct CUstream_st {
  int device = 0;
  bool waits_for_default = true;  ///< not made with cudaStreamNonBlocking
  std::deque<emulator::Action> pending = {};
  std::uint64_t added = 0;
  std::uint64_t done = 0;
};

namespace emulator {

/// The device that this thread's calls are about.
extern constinit thread_local int chosen;
extern constinit thread_local cudaError_t last_error;

struct Array {
  std::size_t bytes = 0;
  int device = 0;
};

/// All devices; they differ in number alone. Every call holds the lock while it lasts, so that any
/// thread of the host may call.
struct Device {
  std::recursive_mutex mutex;
  std::vector<std::unique_ptr<CUstream_st>> streams;  ///< first the default ones, by device
  std::map<void*, Array> memory;
  std::map<const char*, std::size_t> pinned;
  /// First and last page of host memory that was pinned in place, by where it begins.
  std::map<const void*, std::pair<std::uintptr_t, std::uintptr_t>> pages;
  std::map<int, std::uint64_t> used;
  std::uint64_t most_taken = 0;  ///< at once, as a GPU counts it: in pieces of kPiece bytes
  std::uint64_t taken = 0;
  std::map<const void*, MakeBody> kernels;
  std::map<const void*, std::uint64_t> shared_allowed;
  bool was_reset = false;  ///< by a process that ends

  CUstream_st& stream(cudaStream_t given) {
    return given != nullptr ? *given : *streams[static_cast<std::size_t>(chosen)];
  }
  void add(CUstream_st& stream, Action action) {
    stream.pending.push_back(std::move(action));
    ++stream.added;
  }

  /// A call after the reset would begin anew, for a fifth of a second, on a GPU.
  void check_alive(const char* call) const {
    if (!was_reset) return;
    std::fprintf(stderr, "emulator: %s after cudaDeviceReset\n", call);
    std::abort();
  }

  void catch_up() {
    for (const auto& each : streams) finish(*each, each->added);
  }
  /// What stands in the stream up to that number of actions is done.
  void finish(CUstream_st& stream, std::uint64_t position) {
    while (stream.done < position) advance(stream);
  }
  void advance(CUstream_st& stream);
  bool is_pinned(const void* place) const {
    const auto* const byte = static_cast<const char*>(place);
    auto after = pinned.upper_bound(byte);
    return after != pinned.begin() && byte < (--after)->first + after->second;
  }

 private:
  static Action take(CUstream_st& stream) {
    Action action = std::move(stream.pending.front());
    stream.pending.pop_front();
    return action;
  }
};

Device& device();

using Lock = std::lock_guard<std::recursive_mutex>;

/// For cudaGetLastError().
cudaError_t note(cudaError_t error);
/// Puts it into the stream.
cudaError_t add(cudaStream_t stream, Action action);
/// EMULATOR_DEVICES, 1 unless set.
int device_count();

}  // namespace emulator
