#pragma once
// Reading, writing and exchanging 16 bytes that other threads change at the same time: inboxes of
// tuples of more than 64 bits, and states of that size.
//
// GCC calls libatomic for that, which a program would have to link with, and which asks the
// processor on every call. On x86-64 two instructions do it: cmpxchg16b, which every 64-bit
// processor since 2006 has, and, where there is AVX, aligned loads and stores of 16 bytes, which
// the makers document as one access there. Without AVX they are compare-and-swaps. Other processors
// take a lock from a table, chosen by the address.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__x86_64__) && !defined(VERTIGO_STRIPED_LOCKS)
#include <emmintrin.h>
#else
#include <atomic>
#include <thread>
#endif

namespace vertigo::cpu::detail {

using WideWord = unsigned __int128;

#if defined(__x86_64__) && !defined(VERTIGO_STRIPED_LOCKS)

inline namespace whole {

inline const bool loads_are_whole = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx") != 0;
}();

/// The slot becomes `desired` if it holds `expected`, which becomes what was found.
inline bool exchange_wide_if(WideWord& slot, WideWord& expected, WideWord desired) {
  auto low = static_cast<std::uint64_t>(expected);
  auto high = static_cast<std::uint64_t>(expected >> 64);
  bool done = false;
  asm volatile("lock cmpxchg16b %[slot]"
               : [slot] "+m"(slot), "=@ccz"(done), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)),
                 "c"(static_cast<std::uint64_t>(desired >> 64)));
  expected = static_cast<WideWord>(high) << 64 | low;
  return done;
}

inline WideWord load_wide(const WideWord& slot) {
  WideWord found = 0;
  if (loads_are_whole) {
    __m128i both;
    asm volatile("movdqa %1, %0" : "=x"(both) : "m"(slot));
    __builtin_memcpy(&found, &both, sizeof found);
    return found;
  }
  exchange_wide_if(const_cast<WideWord&>(slot), found, 0);  // NOLINT: 0 by 0 at most
  return found;
}

inline WideWord swap_wide(WideWord& slot, WideWord desired) {
  WideWord found = load_wide(slot);
  while (!exchange_wide_if(slot, found, desired)) {
  }
  return found;
}

inline void store_wide(WideWord& slot, WideWord desired) {
  if (loads_are_whole) {
    __m128i both;
    __builtin_memcpy(&both, &desired, sizeof both);
    asm volatile("movdqa %1, %0" : "=m"(slot) : "x"(both));
  } else {
    swap_wide(slot, desired);
  }
}

}  // namespace whole

#else

inline namespace striped {

struct alignas(64) Stripe {
  std::atomic_flag taken;
};
inline constexpr std::size_t kStripes = 256;
inline Stripe stripes[kStripes];

/// Runs `body` alone among those that name this slot; nobody takes a second lock in it.
template <class Body>
inline void alone_with(const WideWord& slot, const Body& body) {
  const auto key = reinterpret_cast<std::uintptr_t>(&slot) >> 4;
  std::atomic_flag& taken = stripes[(key * 0x9e3779b97f4a7c15u >> 32) % kStripes].taken;
  // Whoever holds it may have been sent to sleep.
  while (taken.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  body();
  taken.clear(std::memory_order_release);
}

/// The slot becomes `desired` if it holds `expected`, which becomes what was found.
inline bool exchange_wide_if(WideWord& slot, WideWord& expected, WideWord desired) {
  bool done = false;
  alone_with(slot, [&] {
    done = slot == expected;
    expected = slot;
    if (done) slot = desired;
  });
  return done;
}

inline WideWord load_wide(const WideWord& slot) {
  WideWord found = 0;
  alone_with(slot, [&] { found = slot; });
  return found;
}

inline WideWord swap_wide(WideWord& slot, WideWord desired) {
  WideWord found = 0;
  alone_with(slot, [&] {
    found = slot;
    slot = desired;
  });
  return found;
}

inline void store_wide(WideWord& slot, WideWord desired) {
  alone_with(slot, [&] { slot = desired; });
}

}  // namespace striped

#endif

template <class T>
inline constexpr bool kIsWide = sizeof(T) == 16;

/// The value's place as a word, and its bytes as one.
template <class T>
inline WideWord& wide_word(T& slot) {
  static_assert(kIsWide<T> && alignof(T) == 16 && std::is_trivially_copyable_v<T>);
  return reinterpret_cast<WideWord&>(slot);
}
template <class T>
inline WideWord wide_bits(const T& value) {
  WideWord bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <class T>
inline T from_wide_bits(WideWord bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace vertigo::cpu::detail
