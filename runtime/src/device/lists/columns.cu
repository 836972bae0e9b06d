#include <limits>
#include <type_traits>

#include "../check.h"
#include "columns.h"
#include "each.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/graph/weight_types.h"
#include "weights.h"

namespace vertigo::gpu::lists {

namespace {

template <class W>
__global__ void __launch_bounds__(kBlock)
    look_at_weights(const W* weights, std::uint64_t count, WarpFacts<W>* facts) {
  // A thread beyond the last weight looks at the first one: it changes neither bound.
  WarpFacts<W> mine{weights[0], weights[0], 0, 0, 0};
  for_each(count, [&](std::uint64_t i) {
    const W weight = weights[i];
    mine.smallest = weight < mine.smallest ? weight : mine.smallest;
    mine.largest = weight > mine.largest ? weight : mine.largest;
    if constexpr (std::is_signed_v<W>) mine.negative += weight < W{0};
    mine.zero += weight == W{0};
    mine.sum += static_cast<double>(weight);
  });
  mine.smallest = gpu::detail::combine_warp(mine.smallest, Min{});
  mine.largest = gpu::detail::combine_warp(mine.largest, Max{});
  mine.negative = gpu::detail::combine_warp(mine.negative, Sum{});
  mine.zero = gpu::detail::combine_warp(mine.zero, Sum{});
  mine.sum = gpu::detail::combine_warp(mine.sum, Sum{});
  if (lane() == 0) facts[(gpu::detail::block_start() + threadIdx.x) / kWarp] = mine;
}

template <class T>
__device__ __forceinline__ bool is_negative(T value) {
  if constexpr (std::is_signed_v<T>)
    return value < T{0};
  else
    return false;
}

/// As graph::fits() of the host.
template <class To, class From>
__device__ __forceinline__ bool fits(From value) {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    const To there = static_cast<To>(value);
    return static_cast<From>(there) == value && is_negative(there) == is_negative(value);
  } else if constexpr (std::is_integral_v<To>) {
    constexpr From kUpper =
        static_cast<From>(std::uint64_t{1} << (std::numeric_limits<To>::digits - 1)) * 2;
    constexpr From kLower = std::is_signed_v<To> ? -kUpper : From{0};
    return value >= kLower && value < kUpper && trunc(value) == value;
  } else {
    // Infinity less itself is no number.
    const To there = static_cast<To>(value);
    return there - there == To{0};
  }
}

template <class To, class From>
__global__ void __launch_bounds__(kBlock)
    convert_weights(const From* weights, std::uint64_t count, To* to, unsigned long long* misfits) {
  unsigned long long mine = 0;
  for_each(count, [&](std::uint64_t i) {
    const bool good = fits<To>(weights[i]);
    to[i] = good ? static_cast<To>(weights[i]) : To{};
    mine += !good;
  });
  mine = gpu::detail::combine_warp(mine, Sum{});
  if (lane() == 0 && mine != 0) atomicAdd(misfits, mine);
}

template <class W>
__global__ void __launch_bounds__(kBlock)
    pick_values(const W* values, const EdgeIndex* edges, std::uint64_t count, W* picked) {
  for_each(count, [&](std::uint64_t i) { picked[i] = values[edges[i]]; });
}

}  // namespace

std::uint64_t warps_for(std::uint64_t count) {
  return std::uint64_t{blocks_for(count)} * (kBlock / kWarp);
}

template <class W>
void launch_facts(cudaStream_t stream, const W* weights, std::uint64_t count, WarpFacts<W>* facts) {
  look_at_weights<W><<<blocks_for(count), kBlock, 0, stream>>>(weights, count, facts);
  check(cudaGetLastError(), "look at weights");
}

template <class W>
void launch_convert(cudaStream_t stream, const W* weights, std::uint64_t count, ScalarKind kind,
                    void* to, unsigned long long* misfits) {
  graph::with_weight_type(kind, [&]<class To>(To) {
    convert_weights<<<blocks_for(count), kBlock, 0, stream>>>(weights, count, static_cast<To*>(to),
                                                              misfits);
  });
  check(cudaGetLastError(), "convert weights");
}

template <class W>
void launch_pick(cudaStream_t stream, const W* values, const EdgeIndex* edges, std::uint64_t count,
                 W* picked) {
  pick_values<<<blocks_for(count), kBlock, 0, stream>>>(values, edges, count, picked);
  check(cudaGetLastError(), "look at some edges");
}

template void launch_pick(cudaStream_t, const std::uint32_t*, const EdgeIndex*, std::uint64_t,
                          std::uint32_t*);
template void launch_pick(cudaStream_t, const std::uint64_t*, const EdgeIndex*, std::uint64_t,
                          std::uint64_t*);
#define VERTIGO_WEIGHT(W)                                                                \
  template void launch_facts(cudaStream_t, const W*, std::uint64_t, WarpFacts<W>*);      \
  template void launch_convert(cudaStream_t, const W*, std::uint64_t, ScalarKind, void*, \
                               unsigned long long*);
VERTIGO_WEIGHT_TYPES(VERTIGO_WEIGHT)
#undef VERTIGO_WEIGHT

}  // namespace vertigo::gpu::lists
