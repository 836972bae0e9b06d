#include "compiler/passes/toplan/OrderPaths.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  if (!is_order_free(plan, phase))
    return {{"vertex", true, "a step-ordered phase processes all active vertices of a step"},
            {"path", false, "the phase is step-ordered, and following a path runs ahead of it"}};
  return {{"vertex", true, "active vertices in the order of their ids"},
          {"path", false,
           "following paths between hubs needs a sketch of the graph, which the "
           "runtime does not make"}};
}

}  // namespace

void order_paths(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "order-paths", phase.phase, "order", candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
