#include "compiler/passes/toplan/ChooseConsistency.h"

#include "compiler/passes/toplan/Decide.h"
#include "vertigo/core/colours.h"

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
             : "the order is free; vertices of a colour class never run beside a neighbour, but "
               "colours have to be found first, and a step takes a launch for each"};
  if (pinned_to_saved_pull(plan, context, phase.name))
    return {sync,
            {"async", false,
             "direction=pull is pinned, and an asynchronous pull reads the states of neighbours: " +
                 algebra_of(plan, phase.name).states_tell.reason},
            coloured};
  if (algebra_of(plan, phase.name).uniform_cost.value) return {sync, async, coloured};
  return {async, sync, coloured};
}

// How many colour classes an order-free phase runs in, before one step for all other vertices.
void decide_colours(plan::Plan& plan, PassContext& context, const std::string& phase) {
  std::vector<Candidate> values = {
      {"auto", true,
       "from the sizes of the classes: as many as hold 80% of the vertices that have edges, while "
       "each holds one in 32 of them; a run may say another number (--colours)"},
      {"all", true, "a class for every colour, and no step beside them"}};
  const Pin* const pin = context.schedule.find(phase, "colours");
  if (pin != nullptr && pin->value != "auto" && pin->value != "all") {
    const bool fits = parse_colours(pin->value).has_value();
    values.push_back({pin->value, fits,
                      fits ? "so many classes, before one step for all other vertices"
                           : "it is " + colours_words()});
  }
  decide(plan, context, "choose-consistency", phase, "colours", values);
}

void refuse_colours(PassContext& context, const ir::Phase& phase) {
  if (const Pin* const pin = context.schedule.find(phase.name, "colours"))
    context.diagnostics.report(
        diag::IllegalSchedule, pin->range, "colours=" + pin->value, "phase '" + phase.name + "'",
        phase.serializable
            ? "the program says 'consistency serializable', and vertices of no class would run "
              "beside their neighbours: there is a class for every colour"
            : "the phase does not run in colour classes (timing=coloured)");
}

}  // namespace

void choose_consistency(plan::Plan& plan, PassContext& context) {
  for (const ir::Phase& phase : plan.program.phases) {
    const std::string timing = decide(plan, context, "choose-consistency", phase.name, "timing",
                                      candidates(plan, context, phase));
    if (timing == "coloured" && !phase.serializable)
      decide_colours(plan, context, phase.name);
    else
      refuse_colours(context, phase);
  }
}

}  // namespace vertigo::compiler::passes
