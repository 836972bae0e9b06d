#include "compiler/passes/toplan/ChooseConsistency.h"

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kSynchronous =
    "one colour class after the other, vertices would see what was done in the same step";

// A pull that is pinned leaves async only where states tell what was sent.
bool pinned_to_saved_pull(const plan::Plan& plan, const PassContext& context,
                          const std::string& phase) {
  const Pin* pin = context.schedule.find(phase, "direction");
  return pin != nullptr && pin->value == "pull" && !algebra_of(plan, phase).states_tell.value;
}

std::vector<Candidate> candidates(const plan::Plan& plan, const PassContext& context,
                                  const ir::Phase& phase) {
  if (phase.serializable)
    return {{"coloured", true,
             "the program says 'consistency serializable': one colour class runs after the other, "
             "so that neighbours never run together"},
            {"sync", false,
             "the program says 'consistency serializable': in a synchronous step neighbours run "
             "together"},
            {"async", false,
             "the program says 'consistency serializable': asynchronously, neighbours may run "
             "together"}};
  if (phase.kind == ir::PhaseKind::Sweep)
    return {{"sync", true, "an update of all vertices reads the values before the step"},
            {"async", false, "an update of all vertices is one superstep"},
            {"coloured", false, kSynchronous}};
  if (!is_order_free(plan, phase.name))
    return {
        {"sync", true, "the phase is step-ordered: each step sees the messages of the last"},
        {"async", false, "the phase is step-ordered: " + algebra_of(plan, phase.name).order.reason},
        {"coloured", false, kSynchronous}};
  const Candidate sync{
      "sync", true,
      algebra_of(plan, phase.name).uniform_cost.value
          ? "every step of the phase costs the same, so level by level a vertex is "
            "reached once, with its final value"
          : "repeats exactly, step by step"};
  const Candidate async{
      "async", true,
      std::string("the order is free (") +
          (algebra_of(plan, phase.name).order.value == ir::Order::Free ? "proved" : "asserted") +
          "), and a message that is seen at once saves steps"};
  const bool to_one = ir::sends_to_one(phase);
  const Candidate coloured{
      "coloured", !to_one,
      to_one ? kSendsToOne
             : "the order is free; neighbours never run together, but colours have to be found "
               "first, and a step takes as many launches as there are colours"};
  if (pinned_to_saved_pull(plan, context, phase.name))
    return {sync,
            {"async", false,
             "direction=pull is pinned, and an asynchronous pull reads the states of neighbours: " +
                 algebra_of(plan, phase.name).states_tell.reason},
            coloured};
  if (algebra_of(plan, phase.name).uniform_cost.value) return {sync, async, coloured};
  return {async, sync, coloured};
}

}  // namespace

void choose_consistency(plan::Plan& plan, PassContext& context) {
  for (const ir::Phase& phase : plan.program.phases)
    decide(plan, context, "choose-consistency", phase.name, "timing",
           candidates(plan, context, phase));
}

}  // namespace vertigo::compiler::passes
