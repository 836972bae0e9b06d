#pragma once
// Messages along no edge. Threads that stand side by side often name the same receiver, the root of
// a tree or a component for instance, and would wait for each other at its inbox. So a thread keeps
// what it sends while the receiver stays the same, and the lanes of a warp combine what they bring
// for one receiver.

#include "vertigo/device/atomics.cuh"

namespace vertigo::gpu {

namespace detail {

template <class Combine>
inline constexpr bool kIsOperator =
    kSame<Combine, Min> || kSame<Combine, Max> || kSame<Combine, Sum> || kSame<Combine, Or> ||
    kSame<Combine, And> || kSame<Combine, Xor>;

/// Whether atomic_combine makes lanes agree by itself.
template <class Combine, class T>
inline constexpr bool kAgrees = !kIsOperator<Combine> || sizeof(T) > 8 ||
                                (kSame<Combine, Sum> && kSame<T, Wide64>);

}  // namespace detail

/// atomic_combine, one lane for all that came here together with the same address. True for a lane
/// that has to tell; of several that changed the value, one does.
template <class Combine, class T>
__device__ __forceinline__ bool joined_combine(const Combine& combine, T* address, T value,
                                               T identity) {
  if constexpr (detail::kAgrees<Combine, T>) {
    return atomic_combine(combine, address, value);
  } else {
    // What is no number improves nothing, whoever it is joined with.
    const T mine = combine(identity, value);
    return detail::combine_joined(combine, address, mine, [&](T all, T& old) {
      const bool changed = atomic_combine(combine, address, all);
      if (!changed) old = load_relaxed(*address);
      return changed;
    });
  }
}

/// What a thread has sent to one receiver and nobody has got yet. It is declared before a kernel's
/// loop, outside any branch, and hands in what is left at the end of the kernel.
template <class T, class Combine>
class Held {
 public:
  __device__ __forceinline__ Held(T* inboxes, Combine combine, detail::Same<T> identity)
      : inboxes_(inboxes), combine_(combine), identity_(identity), value_(identity_) {}
  __device__ __forceinline__ ~Held() {
    __syncwarp();
    hand_in();
  }
  Held(const Held&) = delete;

  __device__ __forceinline__ void add(Vertex receiver, T value) {
    if (receiver != receiver_) {
      hand_in();
      receiver_ = receiver;
      value_ = identity_;
    }
    value_ = combine_(value_, value);
  }

 private:
  __device__ __forceinline__ void hand_in() {
    if (receiver_ == kNoVertex) return;
    T* const inbox = inboxes_ + receiver_;
    if constexpr (detail::kAgrees<Combine, T>) {
      atomic_combine(combine_, inbox, value_);
    } else {
      const detail::Joined<T> joined = detail::join_lanes(inbox, value_, combine_);
      if (joined.speaks) atomic_combine(combine_, inbox, joined.value);
    }
  }

  T* inboxes_;
  Combine combine_;
  T identity_;
  Vertex receiver_ = kNoVertex;
  T value_;
};

template <class T, class Combine>
__device__ __forceinline__ void hold(Held<T, Combine>& held, Vertex receiver,
                                     detail::Same<T> value) {
  held.add(receiver, value);
}

}  // namespace vertigo::gpu
