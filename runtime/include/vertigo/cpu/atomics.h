#pragma once
// Combining into memory that other threads combine into as well. All operations are relaxed:
// generated kernels need no order between different words, because what one kernel leaves for the
// next is ordered by the end of the parallel loop (docs/generated-primitives.md).

#include <cstdint>
#include <type_traits>

#include "vertigo/cpu/tuple.h"
#include "vertigo/cpu/wide_atomics.h"

namespace vertigo::cpu {

template <class T>
inline T load_relaxed(const T& slot) {
  if constexpr (detail::kIsWide<T>) {
    return detail::from_wide_bits<T>(detail::load_wide(detail::wide_word(const_cast<T&>(slot))));
  } else {
    T value;
    __atomic_load(&slot, &value, __ATOMIC_RELAXED);
    return value;
  }
}

/// The argument's type follows the slot's, so that literals convert.
template <class T>
inline void store_relaxed(T& slot, const std::type_identity_t<T>& value) {
  if constexpr (detail::kIsWide<T>) {
    detail::store_wide(detail::wide_word(slot), detail::wide_bits(value));
  } else {
    T copy = value;
    __atomic_store(&slot, &copy, __ATOMIC_RELAXED);
  }
}

/// What was there; the slot becomes `identity`.
template <class T>
inline T take(T& slot, const std::type_identity_t<T>& identity) {
  if constexpr (detail::kIsWide<T>) {
    return detail::from_wide_bits<T>(
        detail::swap_wide(detail::wide_word(slot), detail::wide_bits(identity)));
  } else {
    T empty = identity;
    T taken;
    __atomic_exchange(&slot, &empty, &taken, __ATOMIC_RELAXED);
    return taken;
  }
}

namespace detail {

/// May fail although the slot holds `expected`.
template <class T>
inline bool exchange_if(T& slot, T& expected, T desired) {
  if constexpr (kIsWide<T>)
    return exchange_wide_if(wide_word(slot), wide_word(expected), wide_bits(desired));
  else
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

template <class... E>
inline bool combine_min(Packed<E...>& slot, const Tuple<E...>& value) {
  return combine_min(slot.word, Packed<E...>(value).word);
}
template <class... E>
inline bool combine_max(Packed<E...>& slot, const Tuple<E...>& value) {
  return combine_max(slot.word, Packed<E...>(value).word);
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
  while (!detail::exchange_if(slot, expected, value))
    if (expected != identity) return false;
  return true;
}
template <class... E>
inline bool combine_any(Packed<E...>& slot, const Tuple<E...>& value, const Tuple<E...>& identity) {
  return combine_any(slot.word, Packed<E...>(value).word, Packed<E...>(identity).word);
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
template <class... E, class Function>
inline bool combine_with(Packed<E...>& slot, const Tuple<E...>& value, const Function& function) {
  return combine_with(slot.word, Packed<E...>(value).word, [&](auto a, auto) {
    Packed<E...> known;
    known.word = a;
    return Packed<E...>(function(Tuple<E...>(known), value)).word;
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

template <class... E, class Fold>
inline bool fold_packed(Packed<E...>& slot, const Fold& fold) {
  Tuple<E...> local = slot;
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
template <class... E>
inline bool combine_min_owned(Packed<E...>& slot, const Tuple<E...>& value) {
  return detail::fold_packed(slot, [&](auto& local) { return accumulate_min(local, value); });
}
template <class... E>
inline bool combine_max_owned(Packed<E...>& slot, const Tuple<E...>& value) {
  return detail::fold_packed(slot, [&](auto& local) { return accumulate_max(local, value); });
}
template <class... E>
inline bool combine_any_owned(Packed<E...>& slot, const Tuple<E...>& value,
                              const Tuple<E...>& identity) {
  return detail::fold_packed(slot,
                             [&](auto& local) { return accumulate_any(local, value, identity); });
}
template <class... E, class Function>
inline bool combine_with_owned(Packed<E...>& slot, const Tuple<E...>& value,
                               const Function& function) {
  return detail::fold_packed(slot,
                             [&](auto& local) { return accumulate_with(local, value, function); });
}

}  // namespace vertigo::cpu
