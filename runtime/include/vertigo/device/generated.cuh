#pragma once
// What generated kernels call, by the names of docs/generated-primitives.md. `slot` is an element
// of a buffer. A packed slot takes and gives tuples.

#include "vertigo/device/atomics.cuh"
#include "vertigo/device/bitmap.cuh"
#include "vertigo/device/edges.cuh"
#include "vertigo/device/expand.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/held.cuh"
#include "vertigo/device/intersect.cuh"
#include "vertigo/device/reduce.cuh"
#include "vertigo/device/reduce_common.cuh"
#include "vertigo/device/search.cuh"
#include "vertigo/device/threshold.cuh"
#include "vertigo/device/tuple.cuh"
#include "vertigo/device/vertices.cuh"
#include "vertigo/device/worklist.cuh"

#ifdef __NVCC__
// What a program tells an engine is read by concepts and `if constexpr`, which nvcc counts as no
// use.
#pragma nv_diag_suppress 177
#endif

namespace vertigo::gpu {

namespace detail {

/// For slots that no other thread touches in this kernel, and for locals.
template <class Combine, class T>
__device__ __forceinline__ bool combine_owned(const Combine& combine, T& slot, T value) {
  const T next = combine(slot, value);
  if (next == slot) return false;
  slot = next;
  return true;
}

}  // namespace detail

#define VERTIGO_COMBINE(name, Operator)                                                    \
  /* Other threads may combine into the slot too; true when this changed it. */            \
  template <class T>                                                                       \
  __device__ __forceinline__ bool combine_##name(T& slot, detail::Same<T> value) {         \
    return atomic_combine(Operator{}, &slot, value);                                       \
  }                                                                                        \
  template <class T>                                                                       \
  __device__ __forceinline__ bool combine_##name##_joined(T& slot, detail::Same<T> value,  \
                                                          detail::Same<T> identity) {      \
    return joined_combine(Operator{}, &slot, value, identity);                             \
  }                                                                                        \
  template <class T>                                                                       \
  __device__ __forceinline__ bool combine_##name##_owned(T& slot, detail::Same<T> value) { \
    return detail::combine_owned(Operator{}, slot, value);                                 \
  }                                                                                        \
  template <class T>                                                                       \
  __device__ __forceinline__ bool accumulate_##name(T& local, detail::Same<T> value) {     \
    return detail::combine_owned(Operator{}, local, value);                                \
  }                                                                                        \
  template <class T>                                                                       \
  __device__ __forceinline__ void reduce_##name(Reduction<T, Operator>& reduction,         \
                                                detail::Same<T> value) {                   \
    reduction.add(value);                                                                  \
  }

VERTIGO_COMBINE(min, Min)
VERTIGO_COMBINE(max, Max)
VERTIGO_COMBINE(sum, Sum)
VERTIGO_COMBINE(or, Or)
VERTIGO_COMBINE(and, And)
VERTIGO_COMBINE(xor, Xor)

#undef VERTIGO_COMBINE

/// Keeps what is there, unless that is the identity.
template <class T>
__device__ __forceinline__ bool combine_any(T& slot, detail::Same<T> value,
                                            detail::Same<T> identity) {
  return atomic_combine(Any<T>{identity}, &slot, value);
}
template <class T>
__device__ __forceinline__ bool combine_any_joined(T& slot, detail::Same<T> value,
                                                   detail::Same<T> identity) {
  return joined_combine(Any<T>{identity}, &slot, value, identity);
}
template <class T>
__device__ __forceinline__ bool combine_any_owned(T& slot, detail::Same<T> value,
                                                  detail::Same<T> identity) {
  return detail::combine_owned(Any<T>{identity}, slot, value);
}
template <class T>
__device__ __forceinline__ bool accumulate_any(T& local, detail::Same<T> value,
                                               detail::Same<T> identity) {
  return detail::combine_owned(Any<T>{identity}, local, value);
}

/// With a function object T(T, T), commutative and associative.
template <class T, class Function>
__device__ __forceinline__ bool combine_with(T& slot, detail::Same<T> value,
                                             const Function& function) {
  return atomic_combine(function, &slot, value);
}
template <class T, class Function>
__device__ __forceinline__ bool combine_with_joined(T& slot, detail::Same<T> value,
                                                    detail::Same<T> identity,
                                                    const Function& function) {
  return joined_combine(function, &slot, value, identity);
}
template <class T, class Function>
__device__ __forceinline__ bool combine_with_owned(T& slot, detail::Same<T> value,
                                                   const Function& function) {
  return detail::combine_owned(function, slot, value);
}
template <class T, class Function>
__device__ __forceinline__ bool accumulate_with(T& local, detail::Same<T> value,
                                                const Function& function) {
  return detail::combine_owned(function, local, value);
}

/// What the slot held; the identity takes its place in the same step.
template <class T>
__device__ __forceinline__ T take(T& slot, detail::Same<T> identity) {
  return atomic_exchange(&slot, identity);
}
template <class... E>
__device__ __forceinline__ Tuple<E...> take(Packed<E...>& slot, const Tuple<E...>& identity) {
  return atomic_exchange(&slot, Packed<E...>(identity));
}
template <class... E>
__device__ __forceinline__ Tuple<E...> load_relaxed(const Packed<E...>& slot) {
  return detail::bits_as<Packed<E...>>(detail::load_word(&slot.word));
}

}  // namespace vertigo::gpu
