#pragma once
// A threshold that a sample of a list sets, by one block and without the host
// (vertigo/execute/threshold.h):
//
//   Samples threshold(threshold_word, 512);
//   for (const Vertex v : sampled(asked, 16384)) sample(threshold, …);   // what v is worth

#include "vertigo/device/vertices.cuh"
#include "vertigo/execute/threshold.h"

namespace vertigo::gpu {

namespace detail {

static_assert(execute::kSamples % kBlock == 0);

struct Sampled {
  const Vertex* items;
  std::uint32_t length;
  bool is_short;
  struct Iterator {
    const Vertex* items;
    std::uint32_t length;
    unsigned at;
    __device__ __forceinline__ Vertex operator*() const {
      return items[execute::sampled_place(at, length)];
    }
    __device__ __forceinline__ void operator++() { at += kBlock; }
    __device__ __forceinline__ bool operator!=(unsigned end) const { return at < end; }
  };
  __device__ __forceinline__ Iterator begin() const { return {items, length, threadIdx.x}; }
  __device__ __forceinline__ unsigned end() const {
    return blockIdx.x == 0 && !is_short ? execute::kSamples : 0;
  }
};

}  // namespace detail

/// Vertices of a list of `least` or more, as many for each thread of the first block; of a shorter
/// one none.
__device__ __forceinline__ detail::Sampled sampled(const Worklist& list, std::uint64_t least) {
  const std::uint32_t length = *list.count;
  return {list.items, length, length < least};
}

/// The samples of a thread. Declared in front of the loop that takes them; at the end of the kernel
/// the block agrees on the threshold: `rank` of all kSamples would reach it, and of fewer a smaller
/// number; 0 where there are none.
class Samples {
 public:
  __device__ __forceinline__ Samples(const Threshold& threshold, unsigned rank)
      : threshold_(threshold), rank_(rank) {}
  __device__ __forceinline__ ~Samples() {
    if (blockIdx.x != 0) return;
    const auto counted = [this](const auto& holds) {
      unsigned sum = 0;
      for (unsigned i = 0; i < kEach; ++i)
        sum += static_cast<unsigned>(__syncthreads_count(holds(i)));
      return sum;
    };
    const unsigned taken = counted([this](unsigned i) { return i < count_; });
    std::uint32_t bits = 0;
    if (taken > 0)
      bits = execute::threshold_bits(execute::rank_among(rank_, taken), [&](std::uint32_t least) {
        return counted([&](unsigned i) { return bits_[i] >= least; });
      });
    if (threadIdx.x == 0) *threshold_.value = detail::bits_as<float>(bits);
  }
  Samples(const Samples&) = delete;

  __device__ __forceinline__ void add(float worth) {
#pragma unroll
    for (unsigned i = kEach - 1; i > 0; --i) bits_[i] = bits_[i - 1];
    bits_[0] = detail::bits_as<std::uint32_t>(worth);
    ++count_;
  }

 private:
  static constexpr unsigned kEach = execute::kSamples / kBlock;

  const Threshold& threshold_;
  unsigned rank_;
  unsigned count_ = 0;
  std::uint32_t bits_[kEach] = {};  // 0: no sample, which reaches nothing
};

__device__ __forceinline__ void sample(Samples& samples, float worth) { samples.add(worth); }

/// The threshold of this step.
__device__ __forceinline__ float value_of(const Threshold& threshold) { return *threshold.value; }

}  // namespace vertigo::gpu
