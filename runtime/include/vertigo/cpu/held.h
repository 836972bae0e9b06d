#pragma once
// Messages along no edge. Vertices that stand side by side often name the same receiver, the root
// of a tree or a component for instance, at whose inbox all threads would meet. So a thread keeps
// what it sends while the receiver stays the same.

#include "vertigo/core/scalar.h"
#include "vertigo/cpu/combine.h"

namespace vertigo::cpu {

namespace detail {

/// What a thread computes with of what stands in a slot.
template <class T>
struct ValueOf {
  using Type = T;
};
template <class... E>
struct ValueOf<Packed<E...>> {
  using Type = Tuple<E...>;
};
template <class T>
using ValueOfT = typename ValueOf<T>::Type;

}  // namespace detail

/// What a thread has sent to one receiver and nobody has got yet. A kernel's loop captures it, so
/// that each thread has a copy; the copy hands in what is left when the thread has no more
/// vertices.
template <class T, class Combine>
class Held {
 public:
  using Value = detail::ValueOfT<T>;

  Held(T* inboxes, const Combine& combine, const Value& identity)
      : inboxes_(inboxes), combine_(combine), identity_(identity), value_(identity) {}
  /// What the other one holds stays its own.
  Held(const Held& other) : Held(other.inboxes_, other.combine_, other.identity_) {}
  Held& operator=(const Held&) = delete;
  ~Held() { hand_in(); }

  void add(Vertex receiver, const Value& value) const {
    if (receiver != receiver_) {
      hand_in();
      receiver_ = receiver;
      value_ = identity_;
    }
    value_ = combine_(value_, value);
  }

 private:
  void hand_in() const {
    if (receiver_ == kNoVertex) return;
    if constexpr (requires { combine_.into(*inboxes_, value_); })
      combine_.into(inboxes_[receiver_], value_);
    else
      combine_with(inboxes_[receiver_], value_, combine_);
  }

  T* inboxes_;
  Combine combine_;
  Value identity_;
  mutable Vertex receiver_ = kNoVertex;
  mutable Value value_;
};

template <class T, class Combine>
inline void hold(const Held<T, Combine>& held, Vertex receiver, const detail::ValueOfT<T>& value) {
  held.add(receiver, value);
}

#define VERTIGO_JOINED(kind)                                                     \
  /* A thread has nobody beside it to combine with first. */                     \
  template <class T>                                                             \
  inline bool combine_##kind##_joined(T& slot, const detail::ValueOfT<T>& value, \
                                      const detail::ValueOfT<T>&) {              \
    return combine_##kind(slot, value);                                          \
  }

VERTIGO_JOINED(min)
VERTIGO_JOINED(max)
VERTIGO_JOINED(sum)
VERTIGO_JOINED(or)
VERTIGO_JOINED(and)
VERTIGO_JOINED(xor)

#undef VERTIGO_JOINED

template <class T>
inline bool combine_any_joined(T& slot, const detail::ValueOfT<T>& value,
                               const detail::ValueOfT<T>& identity) {
  return combine_any(slot, value, identity);
}
template <class T, class Function>
inline bool combine_with_joined(T& slot, const detail::ValueOfT<T>& value,
                                const detail::ValueOfT<T>&, const Function& function) {
  return combine_with(slot, value, function);
}

}  // namespace vertigo::cpu
