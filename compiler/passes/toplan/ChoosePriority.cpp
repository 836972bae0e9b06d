#include "compiler/passes/toplan/ChoosePriority.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  if (!is_order_free(plan, phase))
    return {{"none", true, "a step-ordered phase has no say in who goes first"},
            {"near-far", false, "the phase is step-ordered"},
            {"delta", false, "the phase is step-ordered"}};
  const bool sums = phase_fact(plan, phase, "form") == "accumulation";
  const char* runtime = "the runtime keeps one list of active vertices, without a threshold";
  return {{"none", true, "every active vertex of a step is processed"},
          {"near-far", false, sums ? "an inbox that is summed has no near or far" : runtime},
          {"delta", false, sums ? runtime : "only summed inboxes have a size to order by"}};
}

}  // namespace

void choose_priority(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-priority", phase.phase, "priority",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
