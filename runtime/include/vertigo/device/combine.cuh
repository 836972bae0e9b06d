#pragma once
// The combine operators of the language as function objects: commutative, associative, and known by
// type, so that an atomic or a reduction is chosen while compiling.

#include "vertigo/device/arithmetic.cuh"

namespace vertigo::gpu {

struct Min {
  template <class T>
  VERTIGO_INLINED T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

struct Max {
  template <class T>
  VERTIGO_INLINED T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};

/// Integers wrap around: a sum that saturates would depend on the order.
struct Sum {
  template <class T>
  VERTIGO_INLINED T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};

/// Of booleans, or bit by bit of integers.
struct Or {
  template <class T>
  VERTIGO_INLINED T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct And {
  template <class T>
  VERTIGO_INLINED T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct Xor {
  template <class T>
  VERTIGO_INLINED T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

/// One of the values, whichever came first; `identity` stands for "none yet".
template <class T>
struct Any {
  T identity;
  VERTIGO_INLINED T operator()(T a, T b) const { return a == identity ? b : a; }
};
template <class T>
Any(T) -> Any<T>;

}  // namespace vertigo::gpu
