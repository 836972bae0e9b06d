#include "compiler/passes/toplan/AccelerateLinearFixpoint.h"

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const toplan::Judgement judgement =
      toplan::judge_solve(plan, *plan.program.find_phase(phase));
  return {{"solve", judgement.legal, judgement.reason},
          {"keep", true,
           judgement.legal ? "residuals are sent as the program says, until they are below the "
                             "threshold"
                           : judgement.reason}};
}

}  // namespace

void accelerate_linear_fixpoint(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "accelerate-linear-fixpoint", phase.phase, "linear-fixpoint",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
