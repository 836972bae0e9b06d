#pragma once
// What steps have taught: the cost model knows the link, and not what a kernel makes of many
// launches instead of a large one (a hub's list holds up each of them). So the times that it
// predicts are corrected by those that launches have taken.

#include <array>
#include <cstdint>

namespace vertigo::gpu::hybrid {

class Experience {
 public:
  enum class Mode : std::uint8_t {
    ByModel,  ///< each partition in the way that the cost model says
    InPlace,  ///< what is not resident is read over the link
  };

  /// The mode of less corrected time; the model is believed until a launch has shown otherwise.
  /// `by_model`, `in_place`: seconds that the model predicts for the launch.
  Mode choose(double by_model, double in_place);
  /// The launch that was asked about last took so long.
  void learn(double seconds);

 private:
  /// Launches of 0.1, 1 and 10 ms learn for themselves: what each costs besides its bytes weighs
  /// differently.
  static constexpr unsigned kKinds = 4;
  static constexpr double kWeight = 0.5;       ///< of the newest launch
  static constexpr double kForget = 1.0 / 32;  ///< of what the mode that is not chosen has shown
  /// Seconds taken by those predicted.
  struct Correction {
    double factor = 1;
    bool tried = false;
  };

  static unsigned kind_of(double seconds);

  std::array<std::array<Correction, 2>, kKinds> corrections_;
  Correction* asked_ = nullptr;
  double predicted_ = 0;
};

}  // namespace vertigo::gpu::hybrid
