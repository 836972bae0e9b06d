#pragma once
// Warp-level building blocks on raw intrinsics: lane numbers, shuffles of any plain value, and
// loads and stores that other threads may race with. Nothing here relies on lanes running in
// lockstep: every exchange names its lanes and synchronizes them.

#include <cstdint>

#include "vertigo/core/unsigned_word.h"
#include "vertigo/device/arithmetic.cuh"

namespace vertigo::gpu {

/// Room in shared memory for a type whose members have initial values.
template <class T>
union OfBlock {
  T value;
  __device__ OfBlock() {}
};

inline constexpr unsigned kAllLanes = 0xffffffffu;
inline constexpr unsigned kWarp = 32;

__device__ __forceinline__ unsigned lane() { return threadIdx.x & (kWarp - 1); }

__device__ __forceinline__ unsigned lanes_below() { return (1u << lane()) - 1; }

/// The value that lane `source` holds, for any plain type. All lanes of `mask` must call it.
template <class T>
__device__ __forceinline__ T shuffle(T value, unsigned source, unsigned mask = kAllLanes) {
  static_assert(__is_trivially_copyable(T));
  constexpr unsigned kWords = (sizeof(T) + 3) / 4;
  union Image {
    unsigned words[kWords];
    T value;
    __device__ Image() {}
  } image;
  image.value = value;
#pragma unroll
  for (unsigned i = 0; i < kWords; ++i)
    image.words[i] = __shfl_sync(mask, image.words[i], static_cast<int>(source));
  return image.value;
}

namespace detail {

__device__ __forceinline__ std::uint8_t load_word(const std::uint8_t* p) {
  unsigned v;
  asm volatile("ld.relaxed.gpu.global.u8 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return static_cast<std::uint8_t>(v);
}
__device__ __forceinline__ std::uint32_t load_word(const std::uint32_t* p) {
  std::uint32_t v;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ std::uint64_t load_word(const std::uint64_t* p) {
  std::uint64_t v;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ unsigned __int128 load_word(const unsigned __int128* p) {
  unsigned __int128 v;
  asm volatile("ld.relaxed.gpu.global.b128 %0, [%1];" : "=q"(v) : "l"(p) : "memory");
  return v;
}
__device__ __forceinline__ std::uint32_t load_streaming_word(const std::uint32_t* p) {
  std::uint32_t v;
  asm("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}
__device__ __forceinline__ std::uint64_t load_streaming_word(const std::uint64_t* p) {
  std::uint64_t v;
  asm("ld.global.nc.L1::no_allocate.u64 %0, [%1];" : "=l"(v) : "l"(p));
  return v;
}
__device__ __forceinline__ void store_word(std::uint8_t* p, std::uint8_t v) {
  asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(p), "r"(unsigned(v)) : "memory");
}
__device__ __forceinline__ void store_word(std::uint32_t* p, std::uint32_t v) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}
__device__ __forceinline__ void store_word(std::uint64_t* p, std::uint64_t v) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");
}
__device__ __forceinline__ void store_word(unsigned __int128* p, unsigned __int128 v) {
  asm volatile("st.relaxed.gpu.global.b128 [%0], %1;" ::"l"(p), "q"(v) : "memory");
}

/// The unsigned type as wide as T: what loads, stores and compare-and-swap work on.
template <class T>
using Word = Unsigned<sizeof(T)>;

/// Two words that move in one piece.
template <unsigned kBytes>
struct DoubleWordOf {
  using Type = std::uint64_t;
};
template <>
struct DoubleWordOf<16> {
  using Type = unsigned __int128;
};
template <unsigned kBytes>
using DoubleWord = typename DoubleWordOf<kBytes>::Type;

}  // namespace detail

/// Reads a value that other threads may be writing: never torn, never from a stale first-level
/// cache line, never split or repeated by the compiler.
template <class T>
  requires(sizeof(T) <= 8)
__device__ __forceinline__ T load_relaxed(const T& slot) {
  using Word = detail::Word<T>;
  return detail::bits_as<T>(detail::load_word(reinterpret_cast<const Word*>(&slot)));
}

/// Reads what is read once and does not change while the kernel runs, without displacing anything
/// in the first-level cache.
template <class T>
  requires(sizeof(T) == 4 || sizeof(T) == 8)
__device__ __forceinline__ T load_streaming(const T* p) {
  using Word = detail::Word<T>;
  return detail::bits_as<T>(detail::load_streaming_word(reinterpret_cast<const Word*>(p)));
}

/// The same, but perhaps from a first-level cache line that others have overwritten since: for
/// values that may be old, and that many threads read.
__device__ __forceinline__ std::uint32_t load_cached(const std::uint32_t& slot) {
  std::uint32_t v;
  asm volatile("ld.relaxed.cta.global.u32 %0, [%1];" : "=r"(v) : "l"(&slot) : "memory");
  return v;
}

/// Reads a word that another block writes after what it announces: everything written before that
/// is seen by reads after this.
__device__ __forceinline__ std::uint32_t load_acquire(const std::uint32_t& slot) {
  std::uint32_t v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(&slot) : "memory");
  return v;
}

__device__ __forceinline__ std::uint64_t load_acquire(const std::uint64_t& slot) {
  std::uint64_t v;
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(&slot) : "memory");
  return v;
}

/// a / b to two units in the last place, for |b| between 2^-126 and 2^126: an exact division of
/// floats is a dozen instructions and a call.
__device__ __forceinline__ float divide_quickly(float a, float b) { return __fdividef(a, b); }
__device__ __forceinline__ double divide_quickly(double a, double b) { return a / b; }

/// The device's clock, the same for all processors; it moves in steps of up to a microsecond.
__device__ __forceinline__ std::uint64_t global_nanoseconds() {
  std::uint64_t t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}

template <class T>
  requires(sizeof(T) <= 8)
__device__ __forceinline__ void store_relaxed(T& slot, detail::Same<T> value) {
  using Word = detail::Word<T>;
  detail::store_word(reinterpret_cast<Word*>(&slot), detail::bits_as<Word>(value));
}

namespace detail {

/// Plain words that move in one piece; 16 bytes are the most that a thread loads at once.
template <unsigned kBytes>
struct PieceOf {
  using Type = std::uint32_t;
};
template <>
struct PieceOf<8> {
  using Type = uint2;
};
template <>
struct PieceOf<16> {
  using Type = uint4;
};
template <class T>
using Piece = typename PieceOf<sizeof(T)>::Type;

}  // namespace detail

/// Reads 4, 8 or 16 bytes that nothing writes while the kernel runs.
template <class T>
  requires(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
__device__ __forceinline__ T load_constant(const T* place) {
  return detail::bits_as<T>(__ldg(reinterpret_cast<const detail::Piece<T>*>(place)));
}

/// Reads 4, 8 or 16 bytes past the first-level cache, for what is read once.
template <class T>
  requires(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
__device__ __forceinline__ T load_once(const T* place) {
  return detail::bits_as<T>(__ldcg(reinterpret_cast<const detail::Piece<T>*>(place)));
}

/// Reads a value that other threads may be writing, possibly from the first-level cache: never
/// torn, but as old as the last barrier of the grid. For tests that only save work.
template <class T>
  requires(sizeof(T) == 4 || sizeof(T) == 8)
__device__ __forceinline__ T load_recent(const T* place) {
  return detail::bits_as<T>(__ldca(reinterpret_cast<const detail::Piece<T>*>(place)));
}

/// Brings the line into the second-level cache.
__device__ __forceinline__ void prefetch(const void* place) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(place));
}

/// Starts copying 16 aligned bytes from global to shared memory.
__device__ __forceinline__ void copy_async(uint4* shared, const uint4* global) {
  asm volatile(
      "cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"l"(__cvta_generic_to_shared(shared)),
      "l"(global)
      : "memory");
}
/// Waits for the copies that this thread started; the block sees them after its next barrier.
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

}  // namespace vertigo::gpu
