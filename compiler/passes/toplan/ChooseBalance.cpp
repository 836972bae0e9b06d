#include "compiler/passes/toplan/ChooseBalance.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const bool edges = sends(plan, phase) || gathers(plan, phase);
  const char* why = "generated kernels give a vertex's edges to the thread of the vertex";
  return {{"thread", true,
           edges ? "one thread follows the edges of one vertex: no synchronisation inside a "
                   "vertex, and sums are added up in the order of the edges"
                 : "no edge is followed"},
          {"warp", false, edges ? why : "no edge is followed"},
          {"block", false, edges ? why : "no edge is followed"},
          {"mixed", false, edges ? why : "no edge is followed"}};
}

}  // namespace

void choose_balance(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-balance", phase.phase, "balance", candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
