#include "vertigo/host/run.h"

#include <memory>

#include "host/lawful.h"
#include "host/load.h"
#include "host/schedule.h"
#include "vertigo/reference/reference.h"

namespace vertigo::host {

RunResult run(const Target& target, const RunRequest& asked) {
  const ProgramInfo& info = *target.info;
  check_request(info, target.kind, asked);
  RunRequest request = asked;
  std::erase_if(request.schedule, [](const auto& phase) { return phase.second.empty(); });
  request.negative_weights = has_negative_values(info, request.graph, request.arguments);
  refuse_unfit(info, request);
  std::unique_ptr<CycleSearch> cycles;
  if (request.cycles == nullptr) {
    cycles = reference::search_cycles(info.program_ir);
    request.cycles = cycles.get();
  }
  Replaced replaced;
  return LawfulRuns(info, request)(target.run, request, replaced);
}

}  // namespace vertigo::host
