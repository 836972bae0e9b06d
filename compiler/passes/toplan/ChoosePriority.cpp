#include "compiler/passes/toplan/ChoosePriority.h"

#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kPass = "choose-priority";

// The pin that takes the phase away from engines, as "timing=sync"; "" where there is none.
std::string pinned_path(const PassContext& context, const std::string& phase) {
  for (const char* key : {"timing", "direction", "activation"})
    if (const Pin* pin = context.schedule.find(phase, key)) return pin->key + "=" + pin->value;
  return "";
}

std::vector<Candidate> candidates(const plan::Plan& plan, const PassContext& context,
                                  const std::string& phase) {
  const Candidate none = {"none", true, "every active vertex of a step is processed"};
  if (!is_order_free(plan, phase))
    return {{"none", true, "a step-ordered phase has no say in who goes first"},
            {"near-far", false, "the phase is step-ordered"},
            {"delta", false, "the phase is step-ordered"}};
  if (phase_fact(plan, phase, "form") == "accumulation")
    return {none,
            {"near-far", false, "an inbox that is summed has no near or far"},
            {"delta", false, "the runtime keeps one list of active vertices, without a threshold"}};
  const toplan::Judgement engine = toplan::judge_distances(plan, *plan.program.find_phase(phase));
  const std::string path = pinned_path(context, phase);
  const bool legal = engine.legal && path.empty();
  const std::string forbidden = engine.legal ? path + " is pinned" : engine.reason;
  return {{"delta", legal,
           legal ? "the best values first: what is sent from a final value is not sent again"
                 : forbidden},
          none,
          {"near-far", false,
           legal ? "'delta' is near-far with a window that moves while there is work in it"
                 : forbidden}};
}

// A positive number that the message's type has.
bool is_width(const plan::Plan& plan, const std::string& phase, const std::string& text) {
  const ir::Phase& source = *plan.program.find_phase(phase);
  const ir::Type& type =
      plan.program.find_message(toplan::analyse(plan.program, source, true).message)->type;
  if (ir::is_float(type.scalar())) return true;  // the schedule's reader looked at the rest
  return text.find_first_not_of("0123456789") == std::string::npos &&
         text.size() <=
             (type.scalar() == ir::ScalarKind::Int32 || type.scalar() == ir::ScalarKind::UInt32
                  ? 9U
                  : 18U);
}

void decide_width(plan::Plan& plan, PassContext& context, const std::string& phase) {
  std::vector<Candidate> widths = {
      {"derived", true,
       "from the weights and degrees of the graph; adapted to what the window leaves behind"}};
  const Pin* pin = context.schedule.find(phase, "delta");
  if (pin != nullptr && pin->value != "derived") {
    const bool fits = is_width(plan, phase, pin->value);
    widths.push_back(
        {pin->value, fits,
         fits ? "the window stays as wide as that" : "the values are no such numbers"});
  }
  decide(plan, context, kPass, phase, "delta", widths);
}

}  // namespace

void choose_priority(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases) {
    const std::string priority = decide(plan, context, kPass, phase.phase, "priority",
                                        candidates(plan, context, phase.phase));
    if (priority == "delta")
      decide_width(plan, context, phase.phase);
    else if (const Pin* pin = context.schedule.find(phase.phase, "delta"))
      context.diagnostics.report(diag::IllegalSchedule, pin->range, "delta=" + pin->value,
                                 "phase '" + phase.phase + "'",
                                 "the phase has no window of values (priority=" + priority + ")");
  }
}

}  // namespace vertigo::compiler::passes
