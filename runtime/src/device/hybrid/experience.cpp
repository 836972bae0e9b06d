#include "experience.h"

#include <algorithm>

namespace vertigo::gpu::hybrid {

unsigned Experience::kind_of(std::uint64_t useful, std::uint64_t all) {
  unsigned kind = 0;
  for (std::uint64_t share = all / 4; kind + 1 < kKinds && useful < share; share /= 4) ++kind;
  return kind;
}

Experience::Mode Experience::choose(std::uint64_t useful, std::uint64_t all) {
  auto& rates = rates_[kind_of(useful, all)];
  Rate& by_model = rates[static_cast<unsigned>(Mode::ByModel)];
  Rate& in_place = rates[static_cast<unsigned>(Mode::InPlace)];
  for (Rate& rate : rates) ++rate.since;
  Rate* chosen = by_model.bytes_per_second >= in_place.bytes_per_second ? &by_model : &in_place;
  Rate* const other = chosen == &by_model ? &in_place : &by_model;
  if (by_model.bytes_per_second == 0)
    chosen = &by_model;
  else if (other->bytes_per_second == 0 || other->since > kAgain)
    chosen = other;
  chosen->since = 0;
  asked_ = chosen;
  asked_bytes_ = std::max<std::uint64_t>(useful, 1);
  return chosen == &by_model ? Mode::ByModel : Mode::InPlace;
}

void Experience::learn(double seconds) {
  if (asked_ == nullptr) return;
  const double rate = static_cast<double>(asked_bytes_) / std::max(seconds, 1e-9);
  asked_->bytes_per_second = asked_->bytes_per_second == 0
                                 ? rate
                                 : kWeight * rate + (1 - kWeight) * asked_->bytes_per_second;
  asked_ = nullptr;
}

}  // namespace vertigo::gpu::hybrid
