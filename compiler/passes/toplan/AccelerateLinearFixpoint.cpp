#include "compiler/passes/toplan/AccelerateLinearFixpoint.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const bool linear = phase_fact(plan, phase, "form") == "accumulation";
  if (!linear)
    return {{"keep", true, "the phase is not a proved linear fixed point"},
            {"chebyshev", false, "the phase is not a proved linear fixed point"}};
  return {
      {"keep", true,
       "residuals are sent as the program says, until they are below the "
       "threshold"},
      {"chebyshev", false, "needs bounds of the spectrum, which the runtime does not estimate"}};
}

}  // namespace

void accelerate_linear_fixpoint(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "accelerate-linear-fixpoint", phase.phase, "linear-fixpoint",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
