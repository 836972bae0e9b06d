#pragma once
// The combine operators of the language as function objects. `into` combines into a slot that other
// threads combine into as well.

#include "vertigo/cpu/atomics.h"

namespace vertigo::cpu {

#define VERTIGO_OPERATOR(Name, kind)                             \
  struct Name {                                                  \
    template <class T>                                           \
    T operator()(T total, std::type_identity_t<T> value) const { \
      accumulate_##kind(total, value);                           \
      return total;                                              \
    }                                                            \
    template <class Slot, class T>                               \
    void into(Slot& slot, const T& value) const {                \
      combine_##kind(slot, value);                               \
    }                                                            \
  };

VERTIGO_OPERATOR(Min, min)
VERTIGO_OPERATOR(Max, max)
VERTIGO_OPERATOR(Sum, sum)
VERTIGO_OPERATOR(Or, or)
VERTIGO_OPERATOR(And, and)
VERTIGO_OPERATOR(Xor, xor)

#undef VERTIGO_OPERATOR

/// One of the values, whichever came first; `identity` stands for "none yet".
template <class T>
struct Any {
  T identity;
  T operator()(T total, T value) const {
    accumulate_any(total, value, identity);
    return total;
  }
  template <class Slot>
  void into(Slot& slot, const T& value) const {
    combine_any(slot, value, identity);
  }
};

}  // namespace vertigo::cpu
