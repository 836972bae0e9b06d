#include "compiler/passes/toplan/FuseIterations.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const ir::Phase* known = plan.program.find_phase(phase);
  if (known != nullptr && known->kind == ir::PhaseKind::Sweep)
    return {{"launch", true, "an update of all vertices is one step"},
            {"device-loop", false, "there is one step"},
            {"persistent", false, "there is one step"}};
  const char* why = "the host asks after each step whether anything is active";
  return {{"launch", true,
           "one launch per kernel and step; the host sees each step, so that limits "
           "and the trace are exact"},
          {"device-loop", false, why},
          {"persistent", false, why}};
}

}  // namespace

void fuse_iterations(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "fuse-iterations", phase.phase, "fusion", candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
