#pragma once
// An engine that found no answer, where steps may find one.

#include <string>

#include "vertigo/core/error.h"

namespace vertigo::execute {

/// Thrown by engines that run a phase by another method than its steps. The host runs the phase
/// step by step then; where the program has no such schedule, this is the error that users see.
class EngineGaveUp : public Error {
 public:
  EngineGaveUp(std::string phase, std::string problem, std::string message)
      : Error(ExitCode::NotConverged, std::move(message)),
        phase_(std::move(phase)),
        problem_(std::move(problem)) {}

  const std::string& phase() const { return phase_; }
  const std::string& problem() const { return problem_; }

 private:
  std::string phase_;
  std::string problem_;
};

}  // namespace vertigo::execute
