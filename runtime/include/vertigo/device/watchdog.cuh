#pragma once
// Waits inside a kernel: for other blocks, or for a value. That each of them ends is shown where it
// stands; a debug build (`vertigo --debug`) does not take it for granted, and ends a run whose wait
// is longer than any step, with the file and line of the wait. Other builds keep no clock.

#ifdef VERTIGO_DEBUG

#include <cassert>

#include "vertigo/device/intrinsics.cuh"

#ifndef VERTIGO_WATCHDOG_SECONDS
#define VERTIGO_WATCHDOG_SECONDS 60
#endif

namespace vertigo::gpu {

/// Of one wait: made before it, asked in each of its rounds.
class Watchdog {
 public:
  __device__ __forceinline__ bool is_patient() {
    constexpr std::uint64_t kLongest = VERTIGO_WATCHDOG_SECONDS * 1'000'000'000ull;
    return global_nanoseconds() - begin_ < kLongest;
  }

 private:
  std::uint64_t begin_ = global_nanoseconds();
};

}  // namespace vertigo::gpu

/// In each round of a wait that WATCHDOG, made before it, looks after.
#define VERTIGO_WAIT(watchdog) \
  assert((watchdog).is_patient() && "a block waits, and what it waits for does not come")

#else

namespace vertigo::gpu {

class Watchdog {};

}  // namespace vertigo::gpu

#define VERTIGO_WAIT(watchdog) static_cast<void>(watchdog)

#endif
