#include "compiler/passes/toplan/ChooseController.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const plan::PhasePlan* known = plan.find_phase(phase);
  if (known == nullptr || known->variants.size() < 2)
    return {{"fixed", true, "one variant is left, so there is nothing to choose while running"},
            {"iterative", false, "one variant is left"},
            {"traversal", false, "one variant is left"}};
  const std::string kind = phase_fact(plan, phase, "kind");
  const std::string why =
      "generated programs change the variant between runs, not inside one: --schedule chooses it";
  return {
      {"fixed", true,
       "the preferred variant runs the whole phase, or the one that --schedule "
       "names"},
      {"iterative", false, (kind == "iterative" ? "it would suit this phase, but " : "") + why},
      {"traversal", false, (kind == "traversal" ? "it would suit this phase, but " : "") + why}};
}

}  // namespace

void choose_controller(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-controller", phase.phase, "controller",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
