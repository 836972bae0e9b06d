#pragma once
// Values that say themselves whether they are there: what a vertex sent, and the number of the run
// in which it did, written and read in one piece. Whoever needs the value reads until it is there.
// Between two levels lies then the way of one value through the second-level cache, instead of a
// fence and a barrier of the whole grid: the synchronization of Liu, Li, Hogg, Duff, Vinter, "A
// synchronization-free algorithm for parallel sparse triangular solves", Euro-Par 2016, section 3.

#include "vertigo/device/watchdog.cuh"
#include "vertigo/engines/common/visit_lists.cuh"

namespace vertigo::gpu::detail {

/// Of a value of up to 8 bytes; run 0 is none, so that cleared memory holds nothing.
template <class T>
struct SentValue {
  using Bits = DoubleWord<sizeof(Word<T>) == 8 ? 16 : 8>;
  static constexpr unsigned kRunShift = sizeof(Bits) * 4;

  Bits bits;
};

template <class T>
__device__ __forceinline__ void send_value(SentValue<T>& slot, const T& value, std::uint32_t run) {
  using Bits = typename SentValue<T>::Bits;
  store_word(&slot.bits,
             static_cast<Bits>(Bits{run} << SentValue<T>::kRunShift | bits_as<Word<T>>(value)));
}

/// What some of a handful of neighbours sent; bit i of `awaited`: the i-th. They have sent, or will
/// without waiting for the caller's warp.
template <class T>
class AwaitedValues {
  using Bits = typename SentValue<T>::Bits;

 public:
  /// Starts reading; nothing is waited for.
  __device__ __forceinline__ void look(const SentValue<T>* sent, const Handful& handful,
                                       unsigned awaited) {
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i)
      if ((awaited >> i & 1) != 0) bits_[i] = load_word(&sent[handful.neighbours[i]].bits);
  }

  /// Combines what was looked for, in the order of the list, once all is there.
  template <class Combine>
  __device__ __forceinline__ void wait_and_combine(const SentValue<T>* sent, std::uint32_t run,
                                                   const Handful& handful, unsigned awaited,
                                                   const Combine& combine, T& result) {
    constexpr unsigned kMostPolls = 1u << 27;  // more than a minute: a sender is lost
    Watchdog watchdog;
    for (unsigned polls = 0;; ++polls) {
      VERTIGO_WAIT(watchdog);
      unsigned missing = 0;
#pragma unroll
      for (unsigned i = 0; i < kInFlight; ++i)
        if ((awaited >> i & 1) != 0 && run_of(bits_[i]) != run) missing |= 1u << i;
      if (missing == 0) break;
      if (polls == kMostPolls) __trap();
      look(sent, handful, missing);
    }
#pragma unroll
    for (unsigned i = 0; i < kInFlight; ++i)
      if ((awaited >> i & 1) != 0)
        result = combine(result, bits_as<T>(static_cast<Word<T>>(bits_[i])));
  }

 private:
  __device__ __forceinline__ static std::uint32_t run_of(const Bits& bits) {
    return static_cast<std::uint32_t>(bits >> SentValue<T>::kRunShift);
  }

  Bits bits_[kInFlight];
};

}  // namespace vertigo::gpu::detail
