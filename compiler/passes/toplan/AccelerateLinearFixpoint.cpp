#include "compiler/passes/toplan/AccelerateLinearFixpoint.h"

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kKey = "linear-fixpoint";

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const toplan::EngineRule& engine = toplan::engine_chosen_by(kKey);
  const engines::Choice& choice = engine.contract.choice;
  const toplan::Judgement judgement = engine.judge(plan, *plan.program.find_phase(phase));
  return {{engine.name(), judgement.legal, judgement.reason},
          {std::string(choice.left), true,
           judgement.legal ? std::string(choice.why_left) : judgement.reason}};
}

}  // namespace

void accelerate_linear_fixpoint(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "accelerate-linear-fixpoint", phase.phase, kKey,
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
