#include "host/lawful.h"

#include <algorithm>

#include "vertigo/core/error.h"
#include "vertigo/core/variant.h"
#include "vertigo/execute/gave_up.h"
#include "vertigo/reference/reference.h"
#include "vertigo/trace/recorder.h"

namespace vertigo::host {
namespace {

bool is_synchronous(std::string_view variant) {
  const auto path = read_path(variant);
  return path && path->timing == vertigo::Timing::Synchronous;
}

const PhaseInfo* find_phase(const ProgramInfo& info, const std::string& name) {
  const auto found = std::ranges::find(info.phases, name, &PhaseInfo::name);
  return found == info.phases.end() ? nullptr : &*found;
}

/// The first that is permitted.
const VariantInfo* synchronous(const PhaseInfo& phase, bool deterministic) {
  for (const VariantInfo& variant : phase.variants)
    if (is_synchronous(variant.name) && (!deterministic || variant.deterministic)) return &variant;
  return nullptr;
}

}  // namespace

LawfulRuns::LawfulRuns(const ProgramInfo& info, const RunRequest& request)
    : info_(info), in_step_(reference::phases_in_step(info.program_ir, request)) {}

bool LawfulRuns::replace(RunRequest& request, const std::string& name) const {
  const PhaseInfo* const phase = find_phase(info_, name);
  if (phase == nullptr) return false;
  const VariantInfo* const variant = synchronous(*phase, request.deterministic);
  if (variant == nullptr) return false;
  request.schedule[name] = variant->name;
  return true;
}

RunResult LawfulRuns::operator()(const std::function<RunResult(const RunRequest&)>& run,
                                 const RunRequest& request, Replaced& replaced) const {
  RunRequest lawful = request;
  for (const auto& [name, reason] : in_step_) {
    const auto pinned = lawful.schedule.find(name);
    if (pinned != lawful.schedule.end() && is_synchronous(pinned->second)) continue;
    if (!replace(lawful, name))
      throw Error(ExitCode::Usage, "phase '" + name + "' has to run step by step here (" + reason +
                                       "), and this program was compiled without a synchronous "
                                       "schedule for it: compile it without pinning one");
    replaced[name] = reason;
  }
  // Each phase can be given up once.
  for (std::size_t again = 0;; ++again) {
    try {
      return run(lawful);
    } catch (const execute::EngineGaveUp& gave_up) {
      const std::string& name = gave_up.phase();
      if (again > info_.phases.size() || !replace(lawful, name)) throw;
      replaced[name] = "the engine gave up: " + gave_up.problem();
      if (lawful.trace != nullptr) *lawful.trace = trace::Recorder();
    }
  }
}

}  // namespace vertigo::host
