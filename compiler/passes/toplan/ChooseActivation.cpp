#include "compiler/passes/toplan/ChooseActivation.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const ir::Phase& phase) {
  const bool sweep = phase.kind == ir::PhaseKind::Sweep;
  if (sweep && !sends(plan, phase.name))
    return {{"topology-driven", true, "an update of all vertices looks at each of them"},
            {"data-driven", false, "nothing is sent, so there is no list to keep"}};
  if (is_only_allowed(plan, phase.name, "timing", "coloured"))
    return {{"topology-driven", true, "each colour class is looked at as a whole"},
            {"data-driven", false, "there is no list of active vertices for each colour"}};
  const Candidate list{
      "data-driven", true,
      algebra_of(plan, phase.name).activity.value == ir::Activity::Traversal
          ? "activity spreads from the started vertices, and few are active at once"
          : "the active vertices become few towards the end"};
  const Candidate all{"topology-driven", true,
                      "no list to keep, and neighbouring threads read neighbouring vertices; pays "
                      "while most vertices are active"};
  if (sweep) return {all, list};
  return {list, all};
}

}  // namespace

void choose_activation(plan::Plan& plan, PassContext& context) {
  for (const ir::Phase& phase : plan.program.phases)
    decide(plan, context, "choose-activation", phase.name, "activation", candidates(plan, phase));
}

}  // namespace vertigo::compiler::passes
