#pragma once
// A barrier over the grid that carries numbers.

#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/watchdog.cuh"

namespace vertigo::gpu {

/// All blocks meet and add up what they found: vertices that they keep in 22 bits, vertices that
/// went to the pool in 32, and the blocks themselves in 10. Two words take turns; none is ever
/// reset, so what it held before is taken off.
class CountingBarrier {
 public:
  static constexpr unsigned kMostBlocks = 1023;
  static constexpr unsigned kMostKept = 4096;  ///< by a block

  __device__ __forceinline__ explicit CountingBarrier(unsigned long long* words)
      : word_(words), next_word_(words + 1) {}

  struct Sum {
    std::uint32_t kept;
    std::uint32_t pooled;
  };

  /// One thread of every block calls it, after the others have written what they write.
  __device__ __forceinline__ Sum meet(std::uint32_t kept, std::uint32_t pooled) {
    constexpr unsigned kMostPolls = 1u << 27;  // more than a minute: a block is lost
    constexpr unsigned kKeptShift = 10;
    constexpr unsigned kPooledShift = 32;
    static_assert(kMostBlocks * kMostKept < 1u << (kPooledShift - kKeptShift));
    if (pooled != 0) __threadfence();
    const unsigned long long mine =
        (static_cast<unsigned long long>(pooled) << kPooledShift) | (kept << kKeptShift) | 1u;
    unsigned long long now = atomicAdd(word_, mine) + mine - before_;
    Watchdog watchdog;
    for (unsigned polls = 0; (now & kMostBlocks) != gridDim.x; ++polls) {
      VERTIGO_WAIT(watchdog);
      if (polls == kMostPolls) __trap();
      now = load_relaxed(*word_) - before_;
    }
    before_ += now;
    swap(word_, next_word_);
    swap(before_, next_before_);
    const Sum sum{static_cast<std::uint32_t>(now) >> kKeptShift,
                  static_cast<std::uint32_t>(now >> kPooledShift)};
    if (sum.pooled != 0) __threadfence();
    return sum;
  }

 private:
  template <class T>
  __device__ __forceinline__ static void swap(T& a, T& b) {
    const T kept = a;
    a = b;
    b = kept;
  }

  unsigned long long* word_;
  unsigned long long* next_word_;
  unsigned long long before_ = 0;
  unsigned long long next_before_ = 0;
};

}  // namespace vertigo::gpu
