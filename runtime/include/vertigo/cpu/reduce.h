#pragma once
// Reductions over vertices: each chunk of a loop folds its own vertices in order.

#include "vertigo/cpu/atomics.h"
#include "vertigo/cpu/buffers.h"

namespace vertigo::cpu {

#define VERTIGO_REDUCTION(kind)                                                                    \
  template <class T>                                                                               \
  inline void reduce_##kind(Scalar<T> scalar, const std::type_identity_t<T>& value) {              \
    accumulate_##kind(scalar.chunks[current_chunk], value);                                        \
  }                                                                                                \
  template <class T>                                                                               \
  inline T result_##kind(const ScalarBuffer<T>& scalar, const std::type_identity_t<T>& identity) { \
    return scalar.result(identity,                                                                 \
                         [](T& total, const T& chunk) { accumulate_##kind(total, chunk); });       \
  }

VERTIGO_REDUCTION(min)
VERTIGO_REDUCTION(max)
VERTIGO_REDUCTION(sum)
VERTIGO_REDUCTION(or)
VERTIGO_REDUCTION(and)
VERTIGO_REDUCTION(xor)

#undef VERTIGO_REDUCTION

}  // namespace vertigo::cpu
