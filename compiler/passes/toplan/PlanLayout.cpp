#include "compiler/passes/toplan/PlanLayout.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan) {
  bool backwards = false;
  for (const ir::Phase& phase : plan.program.phases) {
    const std::string edges =
        ir::fact(phase.facts, "access.sends") + ", " + ir::fact(phase.facts, "access.gathers");
    const plan::PhasePlan* known = plan.find_phase(phase.name);
    for (const plan::Variant& variant : known->variants)
      if (variant.engine || (variant.direction == plan::Direction::Pull && sends(plan, phase.name)))
        backwards = true;
    backwards = backwards || edges.find("in") == 0 || edges.find(" in") != std::string::npos ||
                edges.find("both") != std::string::npos;
  }
  return {{"arrays", true,
           std::string("one array per state and inbox, 64-bit edge offsets; the transpose of the "
                       "graph is ") +
               (backwards ? "needed: some variant follows edges backwards" : "not needed")},
          {"packed", false,
           "records of state and inbox pay where one access reads both; kernels read them apart"}};
}

}  // namespace

void plan_layout(plan::Plan& plan, PassContext& context) {
  decide(plan, context, "plan-layout", kWholeProgram, "layout", candidates(plan));
}

}  // namespace vertigo::compiler::passes
