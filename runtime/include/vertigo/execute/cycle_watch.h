#pragma once
// Watches a phase that improves values along paths for cycles that improve their own vertices, for
// ever. Every so often it takes the states of the program and has them searched; so the phase ends
// with the name of the cycle, long before it has run for as many steps as the graph has vertices.
// Nothing of this runs where no such cycle can be: what is sent is proved to be no better than what
// arrived, or is so while no weight is negative, and none is.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "vertigo/host/program.h"

namespace vertigo::execute {

class CycleWatch {
 public:
  using States = std::vector<Column>;

  /// `states` takes all states from where the phase has them, between two steps.
  CycleWatch(const host::RunRequest& request, std::string_view phase,
             std::function<States()> states);

  /// The number of steps after which look() is due.
  std::uint64_t next_look() const { return next_look_; }
  /// Throws Error(NotConverged) where the phase has no fixed point.
  void look(std::uint64_t steps);
  /// The phase is at rest. Throws where it came to rest only because numbers ran out.
  void rest() const;

 private:
  const host::RunRequest& request_;
  std::string_view phase_;
  std::function<States()> states_;
  std::uint64_t next_look_;
  States before_;
};

}  // namespace vertigo::execute
