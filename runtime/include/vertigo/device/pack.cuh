#pragma once
// Values of one vertex that travel to the threads which visit its edges.

namespace vertigo::gpu {

template <class... T>
struct Pack;

template <>
struct Pack<> {
  template <class Function, class... Before>
  __device__ __forceinline__ decltype(auto) apply(const Function& function,
                                                  Before&&... before) const {
    return function(static_cast<Before&&>(before)...);
  }
};

template <class First, class... Rest>
struct Pack<First, Rest...> {
  First first;
  Pack<Rest...> rest;
  /// function(before..., elements...)
  template <class Function, class... Before>
  __device__ __forceinline__ decltype(auto) apply(const Function& function,
                                                  Before&&... before) const {
    return rest.apply(function, static_cast<Before&&>(before)..., first);
  }
};

/// Keeps copies of a vertex's values for its edges.
__device__ __forceinline__ Pack<> keep() { return {}; }
template <class First, class... Rest>
__device__ __forceinline__ Pack<First, Rest...> keep(First first, Rest... rest) {
  return {first, keep(rest...)};
}

}  // namespace vertigo::gpu
