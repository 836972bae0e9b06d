#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

#include "../check.h"
#include "columns.h"
#include "vertigo/core/error.h"
#include "vertigo/core/value.h"
#include "vertigo/device/buffers.cuh"
#include "vertigo/device/gather.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu::text {

namespace {

unsigned blocks_for(std::uint64_t items) {
  constexpr std::uint64_t kMost = 2048;
  return static_cast<unsigned>(std::clamp<std::uint64_t>((items + kBlock - 1) / kBlock, 1, kMost));
}

template <class W>
__global__ void __launch_bounds__(kBlock)
    look_at_weights(const W* weights, std::uint64_t count, WarpFacts<W>* facts) {
  // A thread beyond the last weight looks at the first one: it changes neither bound.
  WarpFacts<W> mine{weights[0], weights[0], 0, 0, 0};
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < count;
       i += gpu::detail::grid_stride()) {
    const W weight = weights[i];
    mine.smallest = weight < mine.smallest ? weight : mine.smallest;
    mine.largest = weight > mine.largest ? weight : mine.largest;
    if constexpr (std::is_signed_v<W>) mine.negative += weight < W{0};
    mine.zero += weight == W{0};
    mine.sum += static_cast<double>(weight);
  }
  mine.smallest = gpu::detail::combine_warp(mine.smallest, Min{});
  mine.largest = gpu::detail::combine_warp(mine.largest, Max{});
  mine.negative = gpu::detail::combine_warp(mine.negative, Sum{});
  mine.zero = gpu::detail::combine_warp(mine.zero, Sum{});
  mine.sum = gpu::detail::combine_warp(mine.sum, Sum{});
  if (lane() == 0) facts[(gpu::detail::block_start() + threadIdx.x) / kWarp] = mine;
}

/// As graph::fits() of the host.
template <class To, class From>
__device__ __forceinline__ bool fits(From value) {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    const To there = static_cast<To>(value);
    return static_cast<From>(there) == value && (std::is_signed_v<To> || value >= From{0});
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
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < count;
       i += gpu::detail::grid_stride()) {
    const bool good = fits<To>(weights[i]);
    to[i] = good ? static_cast<To>(weights[i]) : To{};
    mine += !good;
  }
  mine = gpu::detail::combine_warp(mine, Sum{});
  if (lane() == 0 && mine != 0) atomicAdd(misfits, mine);
}

template <class W>
__global__ void __launch_bounds__(kBlock)
    pick_values(const W* values, const EdgeIndex* edges, std::uint64_t count, W* picked) {
  for (std::uint64_t i = gpu::detail::block_start() + threadIdx.x; i < count;
       i += gpu::detail::grid_stride())
    picked[i] = values[edges[i]];
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
  const auto launch = [&](auto* places) {
    convert_weights<<<blocks_for(count), kBlock, 0, stream>>>(weights, count, places, misfits);
    check(cudaGetLastError(), "convert weights");
  };
  switch (kind) {
    case ScalarKind::Int32:
      return launch(static_cast<std::int32_t*>(to));
    case ScalarKind::Int64:
      return launch(static_cast<std::int64_t*>(to));
    case ScalarKind::UInt32:
      return launch(static_cast<std::uint32_t*>(to));
    case ScalarKind::UInt64:
      return launch(static_cast<std::uint64_t*>(to));
    case ScalarKind::Float32:
      return launch(static_cast<float*>(to));
    case ScalarKind::Float64:
      return launch(static_cast<double*>(to));
    case ScalarKind::Bool:
    case ScalarKind::Vertex:
    case ScalarKind::Wide64:
      break;
  }
  throw Error(ExitCode::Usage, "edge weights cannot be of type " + std::string(kind_name(kind)));
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
template void launch_facts(cudaStream_t, const std::int32_t*, std::uint64_t,
                           WarpFacts<std::int32_t>*);
template void launch_facts(cudaStream_t, const std::int64_t*, std::uint64_t,
                           WarpFacts<std::int64_t>*);
template void launch_facts(cudaStream_t, const std::uint32_t*, std::uint64_t,
                           WarpFacts<std::uint32_t>*);
template void launch_facts(cudaStream_t, const std::uint64_t*, std::uint64_t,
                           WarpFacts<std::uint64_t>*);
template void launch_facts(cudaStream_t, const float*, std::uint64_t, WarpFacts<float>*);
template void launch_facts(cudaStream_t, const double*, std::uint64_t, WarpFacts<double>*);
template void launch_convert(cudaStream_t, const std::int64_t*, std::uint64_t, ScalarKind, void*,
                             unsigned long long*);
template void launch_convert(cudaStream_t, const double*, std::uint64_t, ScalarKind, void*,
                             unsigned long long*);

}  // namespace vertigo::gpu::text
