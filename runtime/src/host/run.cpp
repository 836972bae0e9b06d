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
  refuse_edges_outside_phases(info, asked.graph);
  RunRequest request = asked;
  std::erase_if(request.schedule, [](const auto& phase) { return phase.second.empty(); });
  request.negative_weights = has_negative_values(info, request.graph, request.arguments);
  refuse_unfit(info, request);
  std::unique_ptr<CycleSearch> cycles;
  // A search would look at edges that are in no memory.
  if (request.cycles == nullptr && !request.graph.on_file) {
    cycles = reference::search_cycles(info.program_ir);
    request.cycles = cycles.get();
  }
  Replaced replaced;
  return LawfulRuns(info, request)(target.run, request, replaced);
}

}  // namespace vertigo::host
