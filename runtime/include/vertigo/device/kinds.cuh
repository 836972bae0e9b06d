#pragma once
// Types as the host's tables name them.

#include "vertigo/core/scalar.h"
#include "vertigo/device/tuple.cuh"

namespace vertigo::gpu::detail {

template <class T>
struct KindOf;
template <>
struct KindOf<bool> {
  static constexpr ScalarKind kKind = ScalarKind::Bool;
};
template <>
struct KindOf<std::int32_t> {
  static constexpr ScalarKind kKind = ScalarKind::Int32;
};
template <>
struct KindOf<std::int64_t> {
  static constexpr ScalarKind kKind = ScalarKind::Int64;
};
template <>
struct KindOf<std::uint32_t> {
  static constexpr ScalarKind kKind = ScalarKind::UInt32;
};
template <>
struct KindOf<std::uint64_t> {
  static constexpr ScalarKind kKind = ScalarKind::UInt64;
};
template <>
struct KindOf<float> {
  static constexpr ScalarKind kKind = ScalarKind::Float32;
};
template <>
struct KindOf<double> {
  static constexpr ScalarKind kKind = ScalarKind::Float64;
};
template <>
struct KindOf<Wide64> {
  static constexpr ScalarKind kKind = ScalarKind::Wide64;
};

}  // namespace vertigo::gpu::detail
