#include "compiler/passes/toplan/ChoosePriority.h"

#include <algorithm>

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

bool may_be(const plan::Plan& plan, const std::string& phase, const std::string& key,
            const std::string& value) {
  const std::vector<std::string> values = allowed(plan, phase, key);
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Any amount of a linear sum may be taken at any time, so that a vertex may wait. Some listed
// vertex does not: a step that activates nobody changes no inbox and leaves those that wait on the
// list, and of these the one that is worth most reaches whatever threshold a sample of them sets.
// So of two steps at least one activates a vertex.
Candidate threshold(const plan::Plan& plan, const PassContext& context, const std::string& phase) {
  Candidate result = {"threshold", true,
                      "what is worth more goes first: a sample of the list says from which inbox "
                      "per edge on a vertex is processed, the others wait and collect more; fewer "
                      "edges, more steps"};
  const auto forbid = [&](const std::string& why) {
    result.legal = false;
    result.reason = why;
  };
  for (const auto& [axis, value] : choices_of(kWaitingPath))
    if (!may_be(plan, phase, std::string(axis), std::string(value)))
      forbid("only variant " + spelling(kWaitingPath) + " has vertices wait, and " +
             std::string(axis) + "=" + std::string(value) + " cannot be had");
  if (const Pin* pin = context.schedule.find(phase, "controller"); pin && pin->value != "fixed")
    forbid("a controller takes all active vertices for the work of a step");
  if (const Pin* pin = context.schedule.find(phase, "variant"))
    if (pin->value != spelling(kWaitingPath)) forbid("variant=" + pin->value + " is pinned");
  return result;
}

std::vector<Candidate> candidates(const plan::Plan& plan, const PassContext& context,
                                  const std::string& phase) {
  const Candidate none = {"none", true, "every active vertex of a step is processed"};
  if (!is_order_free(plan, phase))
    return {{"none", true, "a step-ordered phase has no say in who goes first"},
            {"near-far", false, "the phase is step-ordered"},
            {"delta", false, "the phase is step-ordered"},
            {"threshold", false, "the phase is step-ordered"}};
  if (algebra_of(plan, phase).form == ir::Form::Accumulation)
    return {none,
            {"near-far", false, "an inbox that is summed has no near or far"},
            {"delta", false, "an inbox that is summed has no near or far"},
            threshold(plan, context, phase)};
  const toplan::Judgement engine =
      toplan::engine_chosen_by("priority").judge(plan, *plan.program.find_phase(phase));
  const std::string path = pinned_path(context, phase);
  const bool legal = engine.legal && path.empty();
  const std::string forbidden = engine.legal ? path + " is pinned" : engine.reason;
  return {{"delta", legal,
           legal ? "the best values first: what is sent from a final value is not sent again"
                 : forbidden},
          none,
          {"threshold", false, "an inbox that is no sum is not worth more for being large"},
          {"near-far", false,
           legal ? "'delta' is near-far with a window that moves while there is work in it"
                 : forbidden}};
}

// A positive number that the message's type has.
bool is_width(const plan::Plan& plan, const std::string& phase, const std::string& text) {
  const ir::Phase& source = *plan.program.find_phase(phase);
  const ir::Type& type =
      plan.program.find_message(toplan::analyse(plan, source, true).message)->type;
  if (ir::is_float(type.scalar())) return true;  // the schedule's reader looked at the rest
  return text.find_first_not_of("0123456789") == std::string::npos &&
         text.size() <=
             (type.scalar() == ir::ScalarKind::Int32 || type.scalar() == ir::ScalarKind::UInt32
                  ? 9U
                  : 18U);
}

// A whole number from 1 to `most` that the user may pin.
void decide_number(plan::Plan& plan, PassContext& context, const std::string& phase,
                   const std::string& key, unsigned long most, const Candidate& preferred,
                   const Candidate& other) {
  std::vector<Candidate> values = {preferred};
  const Pin* pin = context.schedule.find(phase, key);
  if (pin != nullptr && pin->value != preferred.value) {
    const bool fits = pin->value.find_first_not_of("0123456789") == std::string::npos &&
                      pin->value.size() <= 10 && std::stoul(pin->value) <= most;
    values.push_back({pin->value, fits, fits ? other.reason : other.value});
  }
  decide(plan, context, kPass, phase, key, values);
}

// How many of the samples reach the threshold, and which lists have one.
void decide_threshold(plan::Plan& plan, PassContext& context, const std::string& phase) {
  decide_number(
      plan, context, phase, "threshold-rank", 1024,
      {"512", true, "half of the 1,024 samples: fewer make more steps, more save less"},
      {"it is one of 1,024 samples", true, "so many of the 1,024 samples reach the threshold"});
  decide_number(plan, context, phase, "threshold-list", 0xffffffffUL,
                {"16384", true,
                 "a step over a shorter list costs little more than its barriers, and vertices "
                 "that wait make more steps"},
                {"no list is that long", true, "shorter lists are processed whole"});
}

void refuse_pin(PassContext& context, const std::string& phase, const std::string& key,
                const std::string& reason) {
  if (const Pin* pin = context.schedule.find(phase, key))
    context.diagnostics.report(diag::IllegalSchedule, pin->range, key + "=" + pin->value,
                               "phase '" + phase + "'", reason);
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

// Lists sorted by weight may be told apart into a core, which is searched first, and a rest.
void decide_core(plan::Plan& plan, PassContext& context, const std::string& phase) {
  const Candidate automatic = {
      "auto", true,
      "the light edges of every list are searched first where degrees are uneven and weights "
      "differ, unless the graph is symmetric and fits on the device"};
  const Candidate always = {
      "always", true,
      "the light edges of every list are searched first; then it is asked what the others could "
      "improve"};
  const Candidate never = {"never", true, "all edges of a list are searched alike"};
  decide(plan, context, kPass, phase, "core", {automatic, always, never});
}

}  // namespace

void choose_priority(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases) {
    const std::string priority = decide(plan, context, kPass, phase.phase, "priority",
                                        candidates(plan, context, phase.phase));
    if (priority == "threshold")
      decide_threshold(plan, context, phase.phase);
    else
      for (const std::string key : {"threshold-rank", "threshold-list"})
        refuse_pin(context, phase.phase, key,
                   "the phase has no threshold (priority=" + priority + ")");
    if (priority == "delta") {
      decide_width(plan, context, phase.phase);
      decide_core(plan, context, phase.phase);
    } else {
      for (const std::string key : {"delta", "core"})
        refuse_pin(context, phase.phase, key,
                   "the phase has no window of values (priority=" + priority + ")");
    }
  }
}

}  // namespace vertigo::compiler::passes
