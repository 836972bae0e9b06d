#pragma once
// Combining into memory that other threads combine into as well. All operations are relaxed:
// generated kernels need no order between different words, because what one kernel leaves for the
// next is ordered by the end of the parallel loop (docs/generated-primitives.md).

#include <cstdint>
#include <type_traits>

#include "vertigo/cpu/tuple.h"

namespace vertigo::cpu {

template <class T>
inline T load_relaxed(const T& slot) {
  T value;
  __atomic_load(&slot, &value, __ATOMIC_RELAXED);
  return value;
}

/// The argument's type follows the slot's, so that literals convert.
template <class T>
inline void store_relaxed(T& slot, const std::type_identity_t<T>& value) {
  T copy = value;
  __atomic_store(&slot, &copy, __ATOMIC_RELAXED);
}

/// What was there; the slot becomes `identity`.
template <class T>
inline T take(T& slot, const std::type_identity_t<T>& identity) {
  T empty = identity;
  T taken;
  __atomic_exchange(&slot, &empty, &taken, __ATOMIC_RELAXED);
  return taken;
}

namespace detail {

template <class T>
inline bool exchange_if(T& slot, T& expected, T desired) {
  return __atomic_compare_exchange(&slot, &expected, &desired, true, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
}

}  // namespace detail

template <class T>
inline bool combine_min(T& slot, const std::type_identity_t<T>& value) {
  T known = load_relaxed(slot);
  while (value < known)
    if (detail::exchange_if(slot, known, value)) return true;
  return false;
}

template <class T>
inline bool combine_max(T& slot, const std::type_identity_t<T>& value) {
  T known = load_relaxed(slot);
  while (known < value)
    if (detail::exchange_if(slot, known, value)) return true;
  return false;
}

template <class A, class B>
inline bool combine_min(Packed<A, B>& slot, const Tuple<A, B>& value) {
  return combine_min(slot.word, Packed<A, B>(value).word);
}
template <class A, class B>
inline bool combine_max(Packed<A, B>& slot, const Tuple<A, B>& value) {
  return combine_max(slot.word, Packed<A, B>(value).word);
}

/// Integers wrap around: that alone gives the same bits in every order.
template <class T>
inline bool combine_sum(T& slot, std::type_identity_t<T> value) {
  if (value == T{0}) return false;
  if constexpr (std::is_integral_v<T>) {
    __atomic_fetch_add(&slot, value, __ATOMIC_RELAXED);
    return true;
  } else {
    T known = load_relaxed(slot);
    while (!detail::exchange_if(slot, known, static_cast<T>(known + value))) {
    }
    return known + value != known;
  }
}

template <class T>
inline bool combine_or(T& slot, std::type_identity_t<T> value) {
  const T known = load_relaxed(slot);
  if ((known | value) == known) return false;
  if constexpr (std::is_same_v<T, bool>)
    return !take(slot, true);
  else
    return (~__atomic_fetch_or(&slot, value, __ATOMIC_RELAXED) & value) != 0;
}

template <class T>
inline bool combine_and(T& slot, std::type_identity_t<T> value) {
  const T known = load_relaxed(slot);
  if ((known & value) == known) return false;
  if constexpr (std::is_same_v<T, bool>)
    return take(slot, false);
  else
    return (__atomic_fetch_and(&slot, value, __ATOMIC_RELAXED) & ~value) != 0;
}

template <class T>
inline bool combine_xor(T& slot, std::type_identity_t<T> value) {
  if (value == T{0}) return false;
  __atomic_fetch_xor(&slot, value, __ATOMIC_RELAXED);
  return true;
}

/// The first message stays.
template <class T>
inline bool combine_any(T& slot, const std::type_identity_t<T>& value,
                        const std::type_identity_t<T>& identity) {
  if (value == identity) return false;
  T expected = identity;
  T copy = value;
  return __atomic_compare_exchange(&slot, &expected, &copy, false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED);
}
template <class A, class B>
inline bool combine_any(Packed<A, B>& slot, const Tuple<A, B>& value, const Tuple<A, B>& identity) {
  return combine_any(slot.word, Packed<A, B>(value).word, Packed<A, B>(identity).word);
}

/// A combine function of the program.
template <class T, class Function>
inline bool combine_with(T& slot, const std::type_identity_t<T>& value, const Function& function) {
  T known = load_relaxed(slot);
  for (;;) {
    const T next = function(known, value);
    if (next == known) return false;
    if (detail::exchange_if(slot, known, next)) return true;
  }
}
template <class A, class B, class Function>
inline bool combine_with(Packed<A, B>& slot, const Tuple<A, B>& value, const Function& function) {
  return combine_with(slot.word, Packed<A, B>(value).word, [&](std::uint64_t a, std::uint64_t) {
    Packed<A, B> known;
    known.word = a;
    return Packed<A, B>(function(Tuple<A, B>(known), value)).word;
  });
}

// The same where this thread alone touches the slot; for locals and for inboxes in kernels where
// nobody sends.

template <class T>
inline bool accumulate_min(T& local, const std::type_identity_t<T>& value) {
  if (!(value < local)) return false;
  local = value;
  return true;
}
template <class T>
inline bool accumulate_max(T& local, const std::type_identity_t<T>& value) {
  if (!(local < value)) return false;
  local = value;
  return true;
}
template <class T>
inline bool accumulate_sum(T& local, std::type_identity_t<T> value) {
  const T known = local;
  if constexpr (std::is_integral_v<T>)
    local = static_cast<T>(static_cast<std::make_unsigned_t<T>>(known) +
                           static_cast<std::make_unsigned_t<T>>(value));
  else
    local = known + value;
  return !(local == known);
}
template <class T>
inline bool accumulate_or(T& local, std::type_identity_t<T> value) {
  const T known = local;
  local = static_cast<T>(known | value);
  return local != known;
}
template <class T>
inline bool accumulate_and(T& local, std::type_identity_t<T> value) {
  const T known = local;
  local = static_cast<T>(known & value);
  return local != known;
}
template <class T>
inline bool accumulate_xor(T& local, std::type_identity_t<T> value) {
  local = static_cast<T>(local ^ value);
  return value != T{0};
}
template <class T>
inline bool accumulate_any(T& local, const std::type_identity_t<T>& value,
                           const std::type_identity_t<T>& identity) {
  if (!(local == identity) || value == identity) return false;
  local = value;
  return true;
}
template <class T, class Function>
inline bool accumulate_with(T& local, const std::type_identity_t<T>& value,
                            const Function& function) {
  const T next = function(local, value);
  if (next == local) return false;
  local = next;
  return true;
}

namespace detail {

template <class A, class B, class Fold>
inline bool fold_packed(Packed<A, B>& slot, const Fold& fold) {
  Tuple<A, B> local = slot;
  if (!fold(local)) return false;
  slot = local;
  return true;
}

}  // namespace detail

template <class T>
inline bool combine_min_owned(T& slot, const std::type_identity_t<T>& value) {
  return accumulate_min(slot, value);
}
template <class T>
inline bool combine_max_owned(T& slot, const std::type_identity_t<T>& value) {
  return accumulate_max(slot, value);
}
template <class T>
inline bool combine_sum_owned(T& slot, std::type_identity_t<T> value) {
  return accumulate_sum(slot, value);
}
template <class T>
inline bool combine_or_owned(T& slot, std::type_identity_t<T> value) {
  return accumulate_or(slot, value);
}
template <class T>
inline bool combine_and_owned(T& slot, std::type_identity_t<T> value) {
  return accumulate_and(slot, value);
}
template <class T>
inline bool combine_xor_owned(T& slot, std::type_identity_t<T> value) {
  return accumulate_xor(slot, value);
}
template <class T>
inline bool combine_any_owned(T& slot, const std::type_identity_t<T>& value,
                              const std::type_identity_t<T>& identity) {
  return accumulate_any(slot, value, identity);
}
template <class T, class Function>
inline bool combine_with_owned(T& slot, const std::type_identity_t<T>& value,
                               const Function& function) {
  return accumulate_with(slot, value, function);
}
template <class A, class B>
inline bool combine_min_owned(Packed<A, B>& slot, const Tuple<A, B>& value) {
  return detail::fold_packed(slot, [&](auto& local) { return accumulate_min(local, value); });
}
template <class A, class B>
inline bool combine_max_owned(Packed<A, B>& slot, const Tuple<A, B>& value) {
  return detail::fold_packed(slot, [&](auto& local) { return accumulate_max(local, value); });
}
template <class A, class B>
inline bool combine_any_owned(Packed<A, B>& slot, const Tuple<A, B>& value,
                              const Tuple<A, B>& identity) {
  return detail::fold_packed(slot,
                             [&](auto& local) { return accumulate_any(local, value, identity); });
}
template <class A, class B, class Function>
inline bool combine_with_owned(Packed<A, B>& slot, const Tuple<A, B>& value,
                               const Function& function) {
  return detail::fold_packed(slot,
                             [&](auto& local) { return accumulate_with(local, value, function); });
}

}  // namespace vertigo::cpu
