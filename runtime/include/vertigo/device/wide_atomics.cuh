#pragma once
// Reading, writing, exchanging and combining 16 bytes that other threads combine into at the same
// time: inboxes of tuples of more than 64 bits, and states of that size. Only programs that have
// such values include this.
//
// A load and a store of .b128 at an aligned address are one access of the PTX memory model from
// sm_70 on (a .v2 of 64 bits would be two), so that no reader sees half of a value. From sm_90 on
// there is a compare-and-swap of the same width. Before that, whoever changes a value holds a lock
// from a table, chosen by the address; readers hold none, because a value is stored in one piece.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/tuple.cuh"

namespace vertigo::gpu {

namespace detail {

using WideWord = unsigned __int128;

/// Whether changes of a T are guarded by locks. Tests have them where they are not needed.
template <class T>
inline constexpr bool kTakesLocks =
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    true;
#else
    false;
#endif

inline constexpr unsigned kLocks = 1u << 14;

/// The address's lock, 0 where nobody holds it. The table lies in the function, because nvcc wants
/// to know of every other variable of the device for all architectures.
__device__ __forceinline__ unsigned* lock_of(const void* address) {
  static unsigned locks[kLocks];
  const auto key = reinterpret_cast<std::uintptr_t>(address) >> 4;
  return locks + ((key * 0x9e3779b97f4a7c15ull) >> 48) % kLocks;
}

/// Runs `body` with the address's lock held. Trying, doing and letting go stand in one iteration,
/// so that a lane which holds a lock never waits for lanes of its own warp, and nobody takes a
/// second lock while holding one.
template <class Body>
__device__ __forceinline__ void with_lock(const void* address, const Body& body) {
  unsigned* const lock = lock_of(address);
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0u, 1u) == 0u) {
      __threadfence();
      body();
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}

/// A template, so that the instruction stands only where it is used: older devices do not have it.
template <class Word>
__device__ __forceinline__ Word exchange_wide_if(Word* address, Word expected, Word desired) {
  Word found;
  asm volatile("atom.relaxed.gpu.global.cas.b128 %0, [%1], %2, %3;"
               : "=q"(found)
               : "l"(address), "q"(expected), "q"(desired)
               : "memory");
  return found;
}

/// *address becomes update(*address) as one step, unless that is what it is; returns what it was.
template <bool kLocked, class Update>
__device__ __forceinline__ WideWord replace_wide(WideWord* address, const Update& update) {
  WideWord old = 0;
  if constexpr (kLocked) {
    with_lock(address, [&] {
      old = load_word(address);
      const WideWord wanted = update(old);
      if (wanted != old) store_word(address, wanted);
    });
    return old;
  } else {
    old = load_word(address);
    while (true) {
      const WideWord wanted = update(old);
      if (wanted == old) return old;
      const WideWord found = exchange_wide_if(address, old, wanted);
      if (found == old) return old;
      old = found;
    }
  }
}

template <class T>
__device__ __forceinline__ const WideWord* wide_word(const T* address) {
  static_assert(alignof(T) == 16, "16 bytes are one access where they are aligned");
  return reinterpret_cast<const WideWord*>(address);
}
template <class T>
__device__ __forceinline__ WideWord* wide_word(T* address) {
  return const_cast<WideWord*>(wide_word(static_cast<const T*>(address)));
}

}  // namespace detail

template <class T>
  requires(sizeof(T) == 16)
__device__ __forceinline__ T load_relaxed(const T& slot) {
  return detail::bits_as<T>(detail::load_word(detail::wide_word(&slot)));
}

/// Of a value that one thread writes and nobody combines into: a store waits for no lock.
template <class T>
  requires(sizeof(T) == 16)
__device__ __forceinline__ void store_relaxed(T& slot, detail::Same<T> value) {
  detail::store_word(detail::wide_word(&slot), detail::bits_as<detail::WideWord>(value));
}

/// True when it changed *address. Read first: most messages do not improve their target.
template <class Combine, class T>
  requires(sizeof(T) == 16)
__device__ __forceinline__ bool atomic_combine(const Combine& combine, T* address, T value) {
  const auto combined = [&](T a, T b) -> T { return combine(a, b); };
  detail::WideWord* const word = detail::wide_word(address);
  const T seen = detail::bits_as<T>(detail::load_word(word));
  if (combined(seen, value) == seen) return false;
  return detail::combine_joined(combined, address, value, [&](T all, T& old) {
    old = detail::bits_as<T>(
        detail::replace_wide<detail::kTakesLocks<T>>(word, [&](detail::WideWord current) {
          return detail::bits_as<detail::WideWord>(combined(detail::bits_as<T>(current), all));
        }));
    return !(combined(old, all) == old);
  });
}

template <class T>
  requires(sizeof(T) == 16)
__device__ __forceinline__ T atomic_exchange(T* address, T value) {
  return detail::bits_as<T>(detail::replace_wide<detail::kTakesLocks<T>>(
      detail::wide_word(address),
      [&](detail::WideWord) { return detail::bits_as<detail::WideWord>(value); }));
}

}  // namespace vertigo::gpu
