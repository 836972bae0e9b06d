#include "experience.h"

#include <algorithm>
#include <utility>

namespace vertigo::gpu::hybrid {

unsigned Experience::kind_of(double seconds) {
  unsigned kind = 0;
  for (double most = 1e-4; kind + 1 < kKinds && seconds > most; most *= 10) ++kind;
  return kind;
}

Experience::Mode Experience::choose(double by_model, double in_place) {
  auto& [model, place] = corrections_[kind_of(in_place)];
  const bool believed = model.factor * by_model <= place.factor * in_place;
  asked_ = believed ? &model : &place;
  Correction& other = believed ? place : model;
  other.factor += (1 - other.factor) * kForget;
  predicted_ = believed ? by_model : in_place;
  return believed ? Mode::ByModel : Mode::InPlace;
}

void Experience::learn(double seconds) {
  Correction* const asked = std::exchange(asked_, nullptr);
  if (asked == nullptr) return;
  // A launch without a byte over the link tells nothing.
  constexpr double kLeast = 1e-6;
  if (predicted_ < kLeast) return;
  const double factor = seconds / predicted_;
  asked->factor = asked->tried ? kWeight * factor + (1 - kWeight) * asked->factor : factor;
  asked->tried = true;
}

}  // namespace vertigo::gpu::hybrid
