#include "vertigo/execute/phase_run.h"

#include "vertigo/core/error.h"
#include "vertigo/execute/gave_up.h"

namespace vertigo::execute {

Chosen choose_variant(std::string_view phase, std::span<const VariantChoice> variants,
                      std::size_t preferred, const std::string* pinned, bool deterministic) {
  const auto chosen = [&](std::size_t variant, std::string_view reason) {
    return Chosen{variant, variants[variant].name, reason};
  };
  if (pinned != nullptr && !pinned->empty()) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      if (variants[i].name != *pinned) continue;
      if (deterministic && !variants[i].deterministic)
        throw Error(ExitCode::Usage, "'" + *pinned +
                                         "' adds floating numbers in the order of its "
                                         "threads and cannot be deterministic");
      return chosen(i, "pinned by --schedule");
    }
    throw Error(ExitCode::Usage,
                "phase '" + std::string(phase) + "' has no schedule '" + *pinned + "'");
  }
  if (!deterministic || variants[preferred].deterministic)
    return chosen(preferred, "preferred by the plan");
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (variants[i].deterministic) return chosen(i, "the first that --deterministic permits");
  throw Error(ExitCode::Usage, "no schedule of phase '" + std::string(phase) +
                                   "' repeats bit by bit, so it cannot be deterministic");
}

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
                         " (" + std::to_string(steps) + " steps)");
}

}  // namespace vertigo::execute
