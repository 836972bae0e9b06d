#pragma once
// What CUDA C++ has without any header, for kernels that run as fibres: the words of the language,
// the indices of a thread, barriers, operations of a warp, bits and bytes.

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>

#include "emulator/threads.h"
#include "emulator/vectors.h"

#define __CUDACC__ 1
#define __CUDA_ARCH_LIST__ 900
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

#define threadIdx (::emulator::current->index)
#define blockIdx (::emulator::current->block->index)
#define blockDim (::emulator::current->block->launch->block)
#define gridDim (::emulator::current->block->launch->grid)
inline constexpr int warpSize = 32;

using dim3 = emulator::Index;
using std::max;
using std::min;

namespace emulator {

inline std::uint64_t nanoseconds() {
  using namespace std::chrono;
  return static_cast<std::uint64_t>(
      duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

/// The object that a __shared__ declaration stands for, one for every block. `Site` is a lambda's
/// type, so that every declaration, and every instance of a template around it, has its own.
template <class T, class Site>
T& shared(Site) {
  static const unsigned declaration = new_shared_declaration();
  return *reinterpret_cast<T*>(shared_bytes(declaration, sizeof(T)));
}
template <class T>
T* dynamic_shared() {
  return reinterpret_cast<T*>(current->block->dynamic_shared.get());
}

/// A value of up to eight bytes as a word, and back.
template <class T>
std::uint64_t word_of(const T& value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>);
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof(T));
  return word;
}
template <class T>
T value_of(std::uint64_t word) {
  T value;
  std::memcpy(&value, &word, sizeof(T));
  return value;
}

/// Lets the lanes of `mask` meet and reads what they brought.
template <class Read>
auto among_lanes(const char* operation, unsigned mask, std::uint64_t word, const Read& read) {
  Meeting& meeting = meet(operation, mask, word);
  const auto answer = read(std::as_const(meeting.words), meeting.arrived);
  leave(meeting);
  return answer;
}

template <class T>
T shuffle(const char* operation, unsigned mask, T value, unsigned source) {
  return among_lanes(operation, mask, word_of(value),
                     [&](const Words& words, unsigned) { return value_of<T>(words[source & 31]); });
}

/// The same where all lanes read the same, which is found once.
template <class Read>
std::uint64_t told_to_all(const char* operation, unsigned mask, std::uint64_t word,
                          const Read& read) {
  Meeting& meeting = meet(operation, mask, word);
  if (!meeting.is_answered) meeting.answer = read(std::as_const(meeting.words), meeting.arrived);
  meeting.is_answered = true;
  const std::uint64_t answer = meeting.answer;
  leave(meeting);
  return answer;
}

template <class T, class Combine>
T reduce(const char* operation, unsigned mask, T value, const Combine& combine) {
  return value_of<T>(
      told_to_all(operation, mask, word_of(value), [&](const Words& words, unsigned lanes) {
        T result = value_of<T>(words[std::countr_zero(lanes)]);
        for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1)
          result = combine(result, value_of<T>(words[std::countr_zero(lanes)]));
        return word_of(result);
      }));
}

}  // namespace emulator

// Barriers and fences.

inline void __syncthreads() { emulator::wait_for_block("__syncthreads", false); }
inline int __syncthreads_count(int vote) {
  return static_cast<int>(emulator::wait_for_block("__syncthreads_count", vote != 0));
}
inline int __syncthreads_or(int vote) {
  return emulator::wait_for_block("__syncthreads_or", vote != 0) != 0;
}
inline int __syncthreads_and(int vote) {
  return emulator::wait_for_block("__syncthreads_and", vote == 0) == 0;
}
inline void __threadfence() { emulator::interleave(); }
inline void __threadfence_block() { emulator::interleave(); }
inline void __threadfence_system() { emulator::interleave(); }
inline void __nanosleep(unsigned) { emulator::interleave(); }
inline std::size_t __cvta_generic_to_shared(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
[[noreturn]] inline void __trap() { emulator::fail("the kernel gave up by __trap()"); }
inline long long clock64() { return static_cast<long long>(emulator::nanoseconds()); }

// Operations of a warp.

inline constexpr unsigned kEveryLane = 0xffffffffu;

inline void __syncwarp(unsigned mask = kEveryLane) {
  emulator::among_lanes("__syncwarp", mask, 0, [](const emulator::Words&, unsigned) { return 0; });
}
__attribute__((noinline)) inline unsigned __activemask() {
  return emulator::converge(__builtin_return_address(0));
}
inline unsigned __ballot_sync(unsigned mask, int vote) {
  return static_cast<unsigned>(emulator::told_to_all(
      "__ballot_sync", mask, vote != 0, [](const emulator::Words& words, unsigned lanes) {
        std::uint64_t votes = 0;
        for (; lanes != 0; lanes &= lanes - 1)
          votes |= words[std::countr_zero(lanes)] << std::countr_zero(lanes);
        return votes;
      }));
}
inline int __any_sync(unsigned mask, int vote) {
  return emulator::reduce("__any_sync", mask, vote != 0, std::logical_or<>()) ? 1 : 0;
}
inline int __all_sync(unsigned mask, int vote) {
  return emulator::reduce("__all_sync", mask, vote != 0, std::logical_and<>()) ? 1 : 0;
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  const unsigned lane = emulator::current->lane;
  const unsigned first = lane & ~static_cast<unsigned>(width - 1);
  return emulator::shuffle("__shfl_sync", mask, value,
                           first + (static_cast<unsigned>(source) & (width - 1)));
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32) {
  const unsigned lane = emulator::current->lane;
  const bool inside = (lane & (width - 1)) >= distance;
  return emulator::shuffle("__shfl_up_sync", mask, value, inside ? lane - distance : lane);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32) {
  const unsigned lane = emulator::current->lane;
  const bool inside = (lane & (width - 1)) + distance < static_cast<unsigned>(width);
  return emulator::shuffle("__shfl_down_sync", mask, value, inside ? lane + distance : lane);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
  const unsigned lane = emulator::current->lane;
  const unsigned other = lane ^ static_cast<unsigned>(bits);
  const bool inside = other / width <= lane / width;
  return emulator::shuffle("__shfl_xor_sync", mask, value, inside ? other : lane);
}

template <class T>
unsigned __match_any_sync(unsigned mask, T value) {
  const std::uint64_t mine = emulator::word_of(value);
  return emulator::among_lanes("__match_any_sync", mask, mine,
                               [&](const emulator::Words& words, unsigned lanes) {
                                 unsigned same = 0;
                                 for (unsigned lane = 0; lane < 32; ++lane)
                                   if ((lanes >> lane & 1) != 0 && words[lane] == mine)
                                     same |= 1u << lane;
                                 return same;
                               });
}
template <class T>
unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
  const unsigned same = __match_any_sync(mask, value);
  *all_equal = __all_sync(mask, same == mask);
  return *all_equal ? mask : 0;
}

#define EMULATOR_REDUCE(name, Type, expression)                                 \
  inline Type name(unsigned mask, Type value) {                                 \
    return emulator::reduce(#name, mask, value,                                 \
                            [](Type a, Type b) -> Type { return expression; }); \
  }
EMULATOR_REDUCE(__reduce_add_sync, unsigned, a + b)
EMULATOR_REDUCE(__reduce_min_sync, unsigned, a < b ? a : b)
EMULATOR_REDUCE(__reduce_max_sync, unsigned, a < b ? b : a)
EMULATOR_REDUCE(__reduce_and_sync, unsigned, a& b)
EMULATOR_REDUCE(__reduce_or_sync, unsigned, a | b)
EMULATOR_REDUCE(__reduce_xor_sync, unsigned, a ^ b)
EMULATOR_REDUCE(__reduce_add_sync, int, static_cast<int>(unsigned(a) + unsigned(b)))
EMULATOR_REDUCE(__reduce_min_sync, int, a < b ? a : b)
EMULATOR_REDUCE(__reduce_max_sync, int, a < b ? b : a)
#undef EMULATOR_REDUCE

// Bits.

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline unsigned long long __brevll(unsigned long long x) {
  unsigned long long reversed = 0;
  for (int bit = 0; bit < 64; ++bit) reversed |= (x >> bit & 1) << (63 - bit);
  return reversed;
}
inline unsigned __brev(unsigned x) { return static_cast<unsigned>(__brevll(x) >> 32); }
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return result;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(std::uint64_t{a} * b >> 32);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

// Arithmetic. What the device may round otherwise is exact here.

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dmul_rn(double a, double b) { return a * b; }

/// CUDA's minimum and maximum take two integers of different kinds.
template <class A, class B>
  requires(std::is_integral_v<A> && std::is_integral_v<B> && !std::is_same_v<A, B>)
constexpr auto min(A a, B b) {
  using Common = std::common_type_t<A, B>;
  return static_cast<Common>(a) < static_cast<Common>(b) ? Common(a) : Common(b);
}
template <class A, class B>
  requires(std::is_integral_v<A> && std::is_integral_v<B> && !std::is_same_v<A, B>)
constexpr auto max(A a, B b) {
  using Common = std::common_type_t<A, B>;
  return static_cast<Common>(a) < static_cast<Common>(b) ? Common(b) : Common(a);
}
