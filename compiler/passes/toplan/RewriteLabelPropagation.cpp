#include "compiler/passes/toplan/RewriteLabelPropagation.h"

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kKey = "label-propagation";

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  const toplan::EngineRule& engine = toplan::engine_chosen_by(kKey);
  const engines::Choice& choice = engine.contract.choice;
  const toplan::Judgement judgement = engine.judge(plan, *plan.program.find_phase(phase));
  const std::string left(choice.left);
  if (!judgement.legal)
    return {{left, true, "messages travel as the program says"},
            {engine.name(), false, judgement.reason}};
  return {{engine.name(), true, std::string(choice.why_taken)},
          {left, true, std::string(choice.why_left)}};
}

}  // namespace

void rewrite_label_propagation(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "rewrite-label-propagation", phase.phase, kKey,
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
