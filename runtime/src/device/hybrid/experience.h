#pragma once
// What steps have taught: the cost model knows the link, and not what a kernel makes of many small
// launches instead of a large one (a hub's list holds up each of them). So launches of a kind are
// tried both ways, and the way that read more edges a second is kept; the other is tried again now
// and then.

#include <array>
#include <cstdint>

namespace vertigo::gpu::hybrid {

class Experience {
 public:
  enum class Mode : std::uint8_t {
    ByModel,  ///< each partition in the way that the cost model says
    InPlace,  ///< what is not resident is read over the link
  };

  /// How to run a launch that reads `useful` of `all` bytes of edges.
  Mode choose(std::uint64_t useful, std::uint64_t all);
  /// The launch that was asked about last took so long.
  void learn(double seconds);

 private:
  static constexpr unsigned kKinds = 8;   ///< by the share of the edges, a factor of 4 each
  static constexpr unsigned kAgain = 16;  ///< the worse mode is tried after so many launches
  static constexpr double kWeight = 0.5;  ///< of the newest launch
  struct Rate {
    double bytes_per_second = 0;  ///< 0: not tried
    unsigned since = 0;           ///< launches since it was
  };

  static unsigned kind_of(std::uint64_t useful, std::uint64_t all);

  std::array<std::array<Rate, 2>, kKinds> rates_{};
  Rate* asked_ = nullptr;
  std::uint64_t asked_bytes_ = 0;
};

}  // namespace vertigo::gpu::hybrid
