#include "vertigo/execute/phase_run.h"

#include "vertigo/core/error.h"
#include "vertigo/core/number_text.h"
#include "vertigo/execute/gave_up.h"

namespace vertigo::execute {

void PhaseRun::record(std::uint64_t active_vertices, std::uint64_t edges,
                      std::uint64_t out_edges) const {
  const std::chrono::duration<double> start = started_ - begin_;
  const std::chrono::duration<double> duration = Clock::now() - started_;
  trace_->add({.phase = totals_.phase,
               .variant = variant_,
               .reason = reason_,
               .step = steps_,
               .active_vertices = active_vertices,
               .edges = edges,
               .out_edges = out_edges,
               .start = start.count(),
               .duration = duration.count(),
               .predicted = predicted_,
               .deferred_vertices = deferred_,
               .threshold = threshold_});
}

void throw_improves_for_ever(std::string_view phase, std::uint64_t steps) {
  throw Error(ExitCode::NotConverged,
              "phase '" + std::string(phase) + "' has no fixed point: after " +
                  std::to_string(steps) +
                  " steps, more than the graph has vertices, some cycle still improves its own "
                  "vertices");
}

void throw_not_finite(std::string_view phase, std::string_view state) {
  throw Error(ExitCode::NotConverged, "phase '" + std::string(phase) + "' has no fixed point: '" +
                                          std::string(state) + "' grows without bound");
}

void throw_no_fixed_point(std::string_view phase, std::string_view problem, std::uint64_t steps) {
  throw EngineGaveUp(std::string(phase), std::string(problem),
                     "phase '" + std::string(phase) +
                         "' has no fixed point that its engine finds: " + std::string(problem) +
                         " (" + counted(steps, "step") + ")");
}

}  // namespace vertigo::execute
