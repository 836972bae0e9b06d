#include "compiler/passes/toplan/RewriteLabelPropagation.h"

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/engines/Hook.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const std::string problem = toplan::problem_of_hooking(plan, *plan.program.find_phase(phase));
  if (!problem.empty())
    return {{"keep", true, "messages travel as the program says"}, {"hook", false, problem}};
  return {{"hook", true, toplan::kWhyHooking},
          {"keep", true, "labels travel as messages, step by step, as the program says"}};
}

}  // namespace

void rewrite_label_propagation(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "rewrite-label-propagation", phase.phase, "label-propagation",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
