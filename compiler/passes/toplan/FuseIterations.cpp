#include "compiler/passes/toplan/FuseIterations.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const ir::Phase* known = plan.program.find_phase(phase);
  if (known != nullptr && known->kind == ir::PhaseKind::Sweep)
    return {{"launch", true, "an update of all vertices is one step"},
            {"persistent", false, "there is one step"}};
  return {
      {"persistent", true,
       "a barrier between two steps costs a few microseconds, a launch and a look from the host "
       "thirty; the loop comes back at a limit of steps, and where values must be looked at"},
      {"launch", true, "one launch per kernel and step, each seen by the host and by profilers"}};
}

}  // namespace

void fuse_iterations(plan::Plan& plan, PassContext& context) {
  for (plan::PhasePlan& phase : plan.phases)
    phase.fused = decide(plan, context, "fuse-iterations", phase.phase, "fusion",
                         candidates(plan, phase.phase)) == "persistent";
}

}  // namespace vertigo::compiler::passes
