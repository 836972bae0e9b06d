#include "compiler/passes/toplan/ChooseDirection.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const std::string& phase) {
  if (!sends(plan, phase)) {
    const bool reads = gathers(plan, phase);
    return {{"pull", true,
             reads ? "the update reads its neighbours and sends nothing"
                   : "nothing is sent, so every vertex only looks at itself"},
            {"push", false, "nothing is sent"}};
  }
  const Candidate push{"push", true,
                       "follows the edges of active vertices only; receivers are combined into "
                       "atomically"};
  if (ir::sends_to_one(*plan.program.find_phase(phase)))
    return {push, {"pull", false, kSendsToOne}};
  const bool states = algebra_of(plan, phase).states_tell.value;
  const bool only_async = is_only_allowed(plan, phase, "timing", "async");
  if (plan.program.find_phase(phase)->serializable) return {push, {"pull", false, kColouredSends}};
  if (is_only_allowed(plan, phase, "timing", "coloured"))
    return {push,
            {"pull", states,
             states ? "one writer per receiver: in a colour class nothing is atomic; reads the "
                      "edges backwards"
                    : kPullsStates + algebra_of(plan, phase).states_tell.reason}};
  if (only_async && !states)
    return {push,
            {"pull", false,
             "an asynchronous pull reads the states of neighbours: " +
                 algebra_of(plan, phase).states_tell.reason}};
  return {push,
          {"pull", true,
           states ? "one writer per receiver, no atomics; reads the edges backwards"
                  : "one writer per receiver, no atomics; reads the edges backwards, and only "
                    "synchronously, from what activations saved: " +
                        algebra_of(plan, phase).states_tell.reason}};
}

}  // namespace

void choose_direction(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases)
    decide(plan, context, "choose-direction", phase.phase, "direction",
           candidates(plan, phase.phase));
}

}  // namespace vertigo::compiler::passes
