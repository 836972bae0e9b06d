#pragma once
// One bit per vertex, 32 to a word. Neighbouring vertices share a word, so every change is atomic;
// a bit that is already as wanted costs one read.

#include "vertigo/device/buffers.cuh"
#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

namespace detail {

__device__ __forceinline__ std::uint32_t bit_of(Vertex v) { return 1u << (v % 32); }

}  // namespace detail

__device__ __forceinline__ bool test_bit(const Bitmap& bitmap, Vertex v) {
  return bitmap.words[v / 32] & detail::bit_of(v);
}

/// True for the one caller that found the bit clear.
__device__ __forceinline__ bool test_and_set(const Bitmap& bitmap, Vertex v) {
  const std::uint32_t bit = detail::bit_of(v);
  if (load_relaxed(bitmap.words[v / 32]) & bit) return false;
  return !(atomicOr(bitmap.words + v / 32, bit) & bit);
}

__device__ __forceinline__ void set_bit(const Bitmap& bitmap, Vertex v) { test_and_set(bitmap, v); }

__device__ __forceinline__ void clear_bit(const Bitmap& bitmap, Vertex v) {
  const std::uint32_t bit = detail::bit_of(v);
  if (load_relaxed(bitmap.words[v / 32]) & bit) atomicAnd(bitmap.words + v / 32, ~bit);
}

}  // namespace vertigo::gpu
