#pragma once
// Atomic updates of tuples that are wider than any compare-and-swap of the hardware in use: a lock
// word per address, from a table shared by all arrays. Only programs with such tuples include this.

#include "vertigo/device/combine.cuh"
#include "vertigo/device/intrinsics.cuh"
#include "vertigo/device/tuple.cuh"

namespace vertigo::gpu {

namespace detail {

inline constexpr unsigned kLocks = 1u << 16;
static __device__ unsigned wide_locks[kLocks];

/// Runs `body` with the address's lock held. The loop keeps trying and doing in one branch, so that
/// a lane which holds a lock is never waited for by lanes of its own warp.
template <class Body>
__device__ __forceinline__ void with_lock(const void* address, const Body& body) {
  const auto key = reinterpret_cast<std::uintptr_t>(address) >> 3;
  unsigned* lock = wide_locks + ((key * 0x9e3779b97f4a7c15ull) >> 48) % kLocks;
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

/// Copies word by word past the first-level cache.
template <class T>
__device__ __forceinline__ T read_words(const T* address) {
  constexpr unsigned kWords = sizeof(T) / 4;
  union Image {
    std::uint32_t words[kWords];
    T value;
    __device__ Image() {}
  } image;
  for (unsigned i = 0; i < kWords; ++i)
    image.words[i] = load_word(reinterpret_cast<const std::uint32_t*>(address) + i);
  return image.value;
}

}  // namespace detail

/// True when it changed *address.
template <class Combine, class T>
  requires(sizeof(T) > 8)
__device__ __forceinline__ bool atomic_combine(const Combine& combine, T* address, T value) {
  bool changed = false;
  detail::with_lock(address, [&] {
    const T old = detail::read_words(address);
    const T next = combine(old, value);
    changed = !(next == old);
    if (changed) *address = next;
  });
  return changed;
}

template <class T>
  requires(sizeof(T) > 8)
__device__ __forceinline__ T atomic_exchange(T* address, T value) {
  T old;
  detail::with_lock(address, [&] {
    old = detail::read_words(address);
    *address = value;
  });
  return old;
}

template <class T>
  requires(sizeof(T) > 8)
__device__ __forceinline__ T load_relaxed(const T& slot) {
  T value;
  detail::with_lock(&slot, [&] { value = detail::read_words(&slot); });
  return value;
}

template <class T>
  requires(sizeof(T) > 8)
__device__ __forceinline__ void store_relaxed(T& slot, detail::Same<T> value) {
  detail::with_lock(&slot, [&] { slot = value; });
}

}  // namespace vertigo::gpu
