#include "vertigo/execute/cycle_watch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "vertigo/core/error.h"
#include "vertigo/execute/phase_run.h"

namespace vertigo::execute {

namespace {

/// A few hundred steps settle most phases. From then on the steps between two looks double, so that
/// looking takes a small part of the time.
constexpr std::uint64_t kFirstLook = 512;

[[noreturn]] void throw_improving_cycle(std::string_view phase, const std::string& cycle) {
  throw Error(ExitCode::NotConverged,
              "phase '" + std::string(phase) + "' has no fixed point: " + cycle);
}

}  // namespace

CycleWatch::CycleWatch(const host::RunRequest& request, std::string_view phase,
                       std::function<States()> states)
    : request_(request),
      phase_(phase),
      states_(std::move(states)),
      next_look_(std::min(kFirstLook, std::uint64_t{request.graph.vertex_count} + 2)) {}

void CycleWatch::look(std::uint64_t steps) {
  next_look_ = 2 * steps;
  if (request_.cycles != nullptr) {
    States now = states_();
    if (!before_.empty()) {
      const std::string cycle = request_.cycles->find(request_, {phase_, before_, now});
      if (!cycle.empty()) throw_improving_cycle(phase_, cycle);
    }
    before_ = std::move(now);
  }
  // No path has so many edges, and a wave that goes round such a cycle has passed every vertex of
  // it between the last two looks.
  const std::uint64_t late = 4 * (std::uint64_t{request_.graph.vertex_count} + 2);
  if (steps >= late) throw_improves_for_ever(phase_, steps);
}

void CycleWatch::rest() const {
  if (request_.cycles == nullptr) return;
  const std::string cycle = request_.cycles->find_at_rest(request_, {phase_, states_()});
  if (!cycle.empty()) throw_improving_cycle(phase_, cycle);
}

}  // namespace vertigo::execute
