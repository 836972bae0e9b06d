#pragma once
// Which schedule a phase runs where the values of a run rule out the one that was chosen: the proof
// that any order of activations will do may have conditions that only values meet, and an engine
// may find no answer where steps have one.

#include <functional>
#include <map>
#include <string>

#include "vertigo/host/program.h"

namespace vertigo::host {

/// Why a phase ran step by step, by phase; for the summary.
using Replaced = std::map<std::string, std::string>;

class LawfulRuns {
 public:
  /// Looks at the values of the request.
  LawfulRuns(const ProgramInfo& info, const RunRequest& request);

  /// `run`, with a synchronous schedule for each phase that needs one. Throws Error(Usage) where
  /// the program was compiled without any.
  RunResult operator()(const std::function<RunResult(const RunRequest&)>& run,
                       const RunRequest& request, Replaced& replaced) const;

 private:
  bool replace(RunRequest& request, const std::string& phase) const;

  const ProgramInfo& info_;
  std::map<std::string, std::string> in_step_;
};

}  // namespace vertigo::host
