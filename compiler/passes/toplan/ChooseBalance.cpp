#include "compiler/passes/toplan/ChooseBalance.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  if (!sends(plan, phase) && !gathers(plan, phase)) {
    const char* none = "no edge is followed";
    return {{"thread", true, "no edge is followed, so a vertex is the work of one thread"},
            {"warp", false, none},
            {"block", false, none},
            {"mixed", false, none}};
  }
  return {{"mixed", true,
           "by degree: a vertex with few edges is the work of a thread, one with many that of a "
           "warp or a block, whatever the graph looks like"},
          {"thread", true, "no synchronisation inside a vertex; pays where all degrees are small"},
          {"warp", true, "pays where most vertices have tens of edges"},
          {"block", true, "pays where most vertices have hundreds of edges"}};
}

}  // namespace

void choose_balance(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-balance", phase.phase, "balance", candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
