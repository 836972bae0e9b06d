#pragma once
// cub::DeviceScan as far as the runtime's library uses it.

#include <cstdint>

#include "cuda_runtime.h"

namespace cuda::std {
template <class T>
struct plus {
  T operator()(const T& a, const T& b) const { return a + b; }
};
}  // namespace cuda::std

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Combine, class Count>
  static cudaError_t ExclusiveScan(void* scratch, ::std::size_t& bytes, const In* in, Out* out,
                                   const Combine& combine, Out first, Count count,
                                   cudaStream_t stream) {
    bytes = 1;
    if (scratch == nullptr) return cudaSuccess;
    const cudaError_t problem = cudaStreamSynchronize(stream);
    Out sum = first;
    for (Count i = 0; problem == cudaSuccess && i < count; ++i) {
      const Out term = static_cast<Out>(in[i]);
      out[i] = sum;
      sum = combine(sum, term);
    }
    return problem;
  }
};

}  // namespace cub
