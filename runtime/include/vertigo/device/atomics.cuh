#pragma once
// Combining into memory that other threads combine into at the same time. The instruction is the
// hardware's own where it has one for the operator and type, a compare-and-swap loop elsewhere.
// Operators that can leave the value as it is read it first: most messages do not improve their
// target, and a read costs a tenth of an atomic.
//
// A compare-and-swap loop lets one of all who meet at an address through for each journey to the
// memory and back, some millions a second, and thousands meet at a hub. So the lanes of a warp
// combine what they bring for one address first, and sums do not insist: see add_by_exchange.

#include "vertigo/device/combine.cuh"
#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

namespace detail {

template <class A, class B>
inline constexpr bool kSame = false;
template <class A>
inline constexpr bool kSame<A, A> = true;

/// The integer that atomicMin and its kin take for T's bits, ordered as T where it is an integer.
template <class T>
struct AtomicWord {
  using Type = unsigned long long;
};
template <>
struct AtomicWord<std::int32_t> {
  using Type = int;
};
template <>
struct AtomicWord<std::uint32_t> {
  using Type = unsigned;
};
template <>
struct AtomicWord<std::int64_t> {
  using Type = long long;
};

/// The aligned word around a byte, and the byte's place in it.
struct ByteInWord {
  unsigned* word;
  unsigned shift;
  __device__ explicit ByteInWord(const void* byte) {
    const auto address = reinterpret_cast<std::uintptr_t>(byte);
    word = reinterpret_cast<unsigned*>(address & ~std::uintptr_t{3});
    shift = static_cast<unsigned>(address & 3) * 8;
  }
};

/// Replaces *address by update(*address) in one step and returns what was there before. Gives up
/// as soon as the update would change nothing.
template <class T, class Update>
__device__ __forceinline__ T compare_and_swap(T* address, const Update& update) {
  if constexpr (sizeof(T) == 1) {
    const ByteInWord at(address);
    unsigned seen = load_relaxed(*at.word);
    while (true) {
      const T old = bits_as<T>(static_cast<std::uint8_t>(seen >> at.shift));
      const T desired = update(old);
      if (desired == old) return old;
      const unsigned wanted =
          (seen & ~(0xffu << at.shift)) | (unsigned{bits_as<std::uint8_t>(desired)} << at.shift);
      const unsigned found = atomicCAS(at.word, seen, wanted);
      if (found == seen) return old;
      seen = found;
    }
  } else {
    using Bits = typename AtomicWord<Word<T>>::Type;
    T old = load_relaxed(*address);
    while (true) {
      const T desired = update(old);
      if (desired == old) return old;
      const Bits found =
          atomicCAS(reinterpret_cast<Bits*>(address), bits_as<Bits>(old), bits_as<Bits>(desired));
      if (found == bits_as<Bits>(old)) return old;
      old = bits_as<T>(found);
    }
  }
}

template <unsigned kBytes>
struct FloatImage {
  using Signed = int;
  using Unsigned = unsigned;
};
template <>
struct FloatImage<8> {
  using Signed = long long;
  using Unsigned = unsigned long long;
};

/// Minimum of floating values through integers: the order of the bits is the order of the values
/// for positive ones and the reverse for negative ones, whatever sign the target has.
template <class T>
__device__ __forceinline__ T float_minimum(T* address, T value) {
  using Signed = typename FloatImage<sizeof(T)>::Signed;
  using Unsigned = typename FloatImage<sizeof(T)>::Unsigned;
  if (bits_as<Signed>(value) >= 0)
    return bits_as<T>(atomicMin(reinterpret_cast<Signed*>(address), bits_as<Signed>(value)));
  return bits_as<T>(atomicMax(reinterpret_cast<Unsigned*>(address), bits_as<Unsigned>(value)));
}

/// Maximum, likewise.
template <class T>
__device__ __forceinline__ T float_maximum(T* address, T value) {
  using Signed = typename FloatImage<sizeof(T)>::Signed;
  using Unsigned = typename FloatImage<sizeof(T)>::Unsigned;
  if (bits_as<Signed>(value) >= 0)
    return bits_as<T>(atomicMax(reinterpret_cast<Signed*>(address), bits_as<Signed>(value)));
  return bits_as<T>(atomicMin(reinterpret_cast<Unsigned*>(address), bits_as<Unsigned>(value)));
}

/// Minimum or maximum where the value is known to improve what was read.
template <bool kMinimum, class T>
__device__ __forceinline__ T extremum(T* address, T value) {
  if constexpr (sizeof(T) == 1) {
    return compare_and_swap(
        address, [=](T old) { return kMinimum ? Min()(old, value) : Max()(old, value); });
  } else if constexpr (kSame<T, float> || kSame<T, double> || kSame<T, Wide64>) {
    return kMinimum ? float_minimum(address, value) : float_maximum(address, value);
  } else {
    // A packed tuple is ordered by its word, so it takes the same way as the unsigned integers.
    using Bits = typename AtomicWord<T>::Type;
    auto* word = reinterpret_cast<Bits*>(address);
    return bits_as<T>(kMinimum ? atomicMin(word, bits_as<Bits>(value))
                               : atomicMax(word, bits_as<Bits>(value)));
  }
}

/// What the lanes that came here together bring for one address.
template <class T>
struct Joined {
  T value;         ///< of the lane that speaks: all of it, combined
  unsigned lanes;  ///< that bring it
  bool speaks;     ///< the lowest of them
};

template <class T, class Combine>
__device__ __forceinline__ Joined<T> join_lanes(const T* address, T value, const Combine& combine) {
  const unsigned together = __activemask();
  const unsigned lanes = __match_any_sync(together, reinterpret_cast<unsigned long long>(address));
  const unsigned before = __popc(lanes & lanes_below());
  unsigned above = lanes & ~lanes_below() & ~(1u << lane());
  // In each round every second lane of those that are left takes over what the next one has.
  for (unsigned place = before; __any_sync(together, above != 0); place /= 2) {
    const T next = shuffle(value, above != 0 ? __ffs(above) - 1 : lane(), together);
    if (above != 0) value = combine(value, next);
    above &= __ballot_sync(together, place % 2 == 0);
  }
  return {value, lanes, before == 0};
}

/// Combines what joined lanes bring by `deliver(value, old)`, which returns whether it changed the
/// value there and says which it was. True for a lane that has to tell: the one that speaks where
/// the value changed, and whoever would have changed it alone where all of them together did not.
template <class T, class Combine, class Deliver>
__device__ __forceinline__ bool combine_joined(const Combine& combine, T* address, T value,
                                               const Deliver& deliver) {
  const Joined<T> joined = join_lanes(address, value, combine);
  T old{};
  bool changed = false;
  if (joined.speaks) changed = deliver(joined.value, old);
  if (joined.lanes == 1u << lane()) return changed;
  const unsigned speaker = __ffs(joined.lanes) - 1;
  if (shuffle(changed, speaker, joined.lanes)) return joined.speaks;
  old = shuffle(old, speaker, joined.lanes);
  return !(combine(old, value) == old);
}

/// Or and And of booleans and integers; `kOr` says which.
template <bool kOr, class T>
__device__ __forceinline__ T bitwise(T* address, T value) {
  if constexpr (sizeof(T) == 1) {
    const ByteInWord at(address);
    const unsigned bits = unsigned{bits_as<std::uint8_t>(value)} << at.shift;
    const unsigned old =
        kOr ? atomicOr(at.word, bits) : atomicAnd(at.word, bits | ~(0xffu << at.shift));
    return bits_as<T>(static_cast<std::uint8_t>(old >> at.shift));
  } else if constexpr (sizeof(T) == 4) {
    auto* word = reinterpret_cast<unsigned*>(address);
    const auto bits = bits_as<unsigned>(value);
    return bits_as<T>(kOr ? atomicOr(word, bits) : atomicAnd(word, bits));
  } else {
    auto* word = reinterpret_cast<unsigned long long*>(address);
    const auto bits = bits_as<unsigned long long>(value);
    return bits_as<T>(kOr ? atomicOr(word, bits) : atomicAnd(word, bits));
  }
}

}  // namespace detail

// atomic_combine(operator, address, value): *address = operator(*address, value) as one step; true
// when that changed *address. Where the answer is not used, the compiler drops the return path.

template <class T>
  requires(sizeof(T) <= 8)
__device__ __forceinline__ bool atomic_combine(Min, T* address, T value) {
  const T seen = load_relaxed(*address);
  return value < seen && value < detail::extremum<true>(address, value);
}

template <class T>
  requires(sizeof(T) <= 8)
__device__ __forceinline__ bool atomic_combine(Max, T* address, T value) {
  const T seen = load_relaxed(*address);
  return seen < value && detail::extremum<false>(address, value) < value;
}

namespace detail {

/// Adds where the hardware cannot; 0 stands for nothing. One compare-and-swap, if nobody else comes
/// at the same moment. Else the value is exchanged for nothing, and nothing for what was added to
/// it: no exchange is in vain, and what another one had put there meanwhile is carried on. Of any
/// two who put something there one after the other, one is done or has the other's. A reader may
/// find nothing in between; who carries the value tells when it is back.
template <class T, class Add>
__device__ __forceinline__ bool add_by_exchange(T* address, T value, const Add& add, T& old) {
  using Bits = typename AtomicWord<Word<T>>::Type;
  auto* const word = reinterpret_cast<Bits*>(address);
  old = load_relaxed(*address);
  const T wanted = add(old, value);
  if (wanted == old) return false;
  if (atomicCAS(word, bits_as<Bits>(old), bits_as<Bits>(wanted)) == bits_as<Bits>(old)) return true;
  const Bits nothing = bits_as<Bits>(T{0});
  do {
    value = add(value, bits_as<T>(atomicExch(word, nothing)));
    value = bits_as<T>(atomicExch(word, bits_as<Bits>(value)));
  } while (!(value == T{0}));
  return true;
}

}  // namespace detail

template <class T>
__device__ __forceinline__ bool atomic_combine(Sum, T* address, T value) {
  if (value == T{0}) return false;
  if constexpr (detail::kSame<T, Wide64>) {
    const auto add = [](T a, T b) { return T::add_any(a, b); };
    return detail::combine_joined(add, address, value, [&](T all, T& old) {
      return detail::add_by_exchange(address, all, add, old);
    });
  } else if constexpr (detail::kIsFloat<T>) {
    const T old = atomicAdd(address, value);
    return !(old + value == old);
  } else if constexpr (sizeof(T) == 4) {
    atomicAdd(reinterpret_cast<unsigned*>(address), static_cast<unsigned>(value));
    return true;
  } else {
    atomicAdd(reinterpret_cast<unsigned long long*>(address),
              static_cast<unsigned long long>(value));
    return true;
  }
}

template <class T>
__device__ __forceinline__ bool atomic_combine(Or, T* address, T value) {
  const T seen = load_relaxed(*address);
  if (static_cast<T>(seen | value) == seen) return false;
  const T old = detail::bitwise<true>(address, value);
  return static_cast<T>(old | value) != old;
}

template <class T>
__device__ __forceinline__ bool atomic_combine(And, T* address, T value) {
  const T seen = load_relaxed(*address);
  if (static_cast<T>(seen & value) == seen) return false;
  const T old = detail::bitwise<false>(address, value);
  return static_cast<T>(old & value) != old;
}

/// Of integers. Any bit that is 1 changes the value.
template <class T>
__device__ __forceinline__ bool atomic_combine(Xor, T* address, T value) {
  if (value == T{0}) return false;
  if constexpr (sizeof(T) == 4)
    atomicXor(reinterpret_cast<unsigned*>(address), static_cast<unsigned>(value));
  else
    atomicXor(reinterpret_cast<unsigned long long*>(address),
              static_cast<unsigned long long>(value));
  return true;
}

/// Any other operator, a user's own among them: a function object T(T, T).
template <class Combine, class T>
  requires(sizeof(T) <= 8)
__device__ __forceinline__ bool atomic_combine(const Combine& combine, T* address, T value) {
  const auto combined = [&](T a, T b) -> T { return combine(a, b); };
  const T seen = load_relaxed(*address);
  if (combined(seen, value) == seen) return false;
  return detail::combine_joined(combined, address, value, [&](T all, T& old) {
    old = detail::compare_and_swap(address, [&](T current) { return combined(current, all); });
    return !(combined(old, all) == old);
  });
}

/// Takes what is there and leaves `value` in its place, as one step.
template <class T>
  requires(sizeof(T) <= 8)
__device__ __forceinline__ T atomic_exchange(T* address, T value) {
  if constexpr (sizeof(T) == 1) {
    return detail::compare_and_swap(address, [=](T) { return value; });
  } else {
    using Bits = typename detail::AtomicWord<detail::Word<T>>::Type;
    return detail::bits_as<T>(
        atomicExch(reinterpret_cast<Bits*>(address), detail::bits_as<Bits>(value)));
  }
}

}  // namespace vertigo::gpu
