#pragma once
// A threshold that a sample of a list sets (vertigo/execute/threshold.h).

#include <algorithm>
#include <array>
#include <bit>

#include "vertigo/cpu/buffers.h"
#include "vertigo/execute/threshold.h"

namespace vertigo::cpu {

struct ThresholdStorage {
  float value = 0;
  unsigned count = 0;
  std::array<std::uint32_t, execute::kSamples> samples{};
};

struct Threshold {
  ThresholdStorage* storage;
};

class ThresholdBuffer {
 public:
  void allocate(std::size_t) { storage_ = {}; }
  operator Threshold() { return {&storage_}; }  // NOLINT
  float value() const { return storage_.value; }

 private:
  ThresholdStorage storage_;
};

inline void sample(Threshold threshold, float worth) {
  ThresholdStorage& storage = *threshold.storage;
  storage.samples[storage.count++] = std::bit_cast<std::uint32_t>(worth);
}

/// The threshold of this step.
inline float value_of(Threshold threshold) { return threshold.storage->value; }

/// body(v) for some vertices of a list of `least` or more; then the threshold is what `rank` of
/// kSamples samples would reach, and of fewer a smaller number; 0 where there are none.
template <class Body>
inline void for_each_sampled(const Worklist& list, Threshold threshold, std::uint64_t least,
                             unsigned rank, const Body& body) {
  const std::span<const Vertex> vertices = list.vertices();
  ThresholdStorage& storage = *threshold.storage;
  storage.count = 0;
  storage.value = 0;
  if (vertices.size() < least) return;
  for (std::uint32_t i = 0; i < execute::kSamples; ++i)
    body(vertices[execute::sampled_place(i, static_cast<std::uint32_t>(vertices.size()))]);
  storage.value = std::bit_cast<float>(
      execute::threshold_bits(execute::rank_among(rank, storage.count), [&](std::uint32_t least) {
        const auto samples = std::span(storage.samples).first(storage.count);
        return static_cast<std::uint32_t>(
            std::ranges::count_if(samples, [=](std::uint32_t each) { return each >= least; }));
      }));
}

}  // namespace vertigo::cpu
