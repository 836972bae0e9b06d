#pragma once
// One bit per vertex, 32 to a word. Neighbouring vertices share a word, so every change is atomic;
// a bit that is already as wanted costs one read.

#include "vertigo/device/intrinsics.cuh"

namespace vertigo::gpu {

struct Bitmap {
  std::uint32_t* words = nullptr;

  __device__ __forceinline__ bool test(Vertex v) const { return (words[v / 32] >> (v % 32)) & 1; }

  /// As test, where other threads change bits at the same time.
  __device__ __forceinline__ bool test_relaxed(Vertex v) const {
    return (load_relaxed(words + v / 32) >> (v % 32)) & 1;
  }

  /// True for the one caller that found the bit clear.
  __device__ __forceinline__ bool set(Vertex v) const {
    const std::uint32_t bit = 1u << (v % 32);
    if (load_relaxed(words + v / 32) & bit) return false;
    return !(atomicOr(words + v / 32, bit) & bit);
  }

  __device__ __forceinline__ void clear(Vertex v) const {
    const std::uint32_t bit = 1u << (v % 32);
    if (load_relaxed(words + v / 32) & bit) atomicAnd(words + v / 32, ~bit);
  }
};

}  // namespace vertigo::gpu
