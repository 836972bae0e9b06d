#include "compiler/passes/toplan/RewriteLabelPropagation.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  if (phase_fact(plan, phase, "label_propagation") != "true")
    return {{"keep", true, "the phase does not propagate labels"},
            {"hook", false, "the phase does not propagate labels"}};
  return {{"keep", true, "labels travel as messages, as the program says"},
          {"hook", false,
           "legal by the algebra, but the runtime has no union-find to put in its "
           "place"}};
}

}  // namespace

void rewrite_label_propagation(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "rewrite-label-propagation", phase.phase, "label-propagation",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
