#include "compiler/passes/toplan/Decide.h"

#include <algorithm>

namespace vertigo::compiler::passes {

namespace {

const Candidate* find(const std::vector<Candidate>& candidates, const std::string& value) {
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const Candidate& known) { return known.value == value; });
  return found == candidates.end() ? nullptr : &*found;
}

std::string described(const std::string& subject) {
  return subject == kWholeProgram ? "this program" : "phase '" + subject + "'";
}

}  // namespace

std::string decide(plan::Plan& plan, PassContext& context, const std::string& pass,
                   const std::string& subject, const std::string& key,
                   const std::vector<Candidate>& candidates) {
  const Candidate* chosen = nullptr;
  for (const Candidate& candidate : candidates)
    if (chosen == nullptr && candidate.legal) chosen = &candidate;

  const Pin* pin = context.schedule.find(subject, key);
  if (pin != nullptr) {
    const Candidate* wanted = find(candidates, pin->value);
    if (wanted != nullptr && wanted->legal)
      chosen = wanted;
    else
      context.diagnostics.report(
          diag::IllegalSchedule, pin->range, key + "=" + pin->value, described(subject),
          wanted != nullptr ? wanted->reason : "there is nothing of the kind to choose");
  }

  plan::Decision decision;
  decision.pass = pass;
  decision.subject = subject;
  decision.key = key;
  decision.pinned = pin != nullptr;
  if (chosen != nullptr) {
    decision.value = chosen->value;
    decision.reason = chosen->reason;
  } else {
    decision.value = "none";
    decision.reason = "nothing is legal here";
  }
  for (const Candidate& candidate : candidates)
    if (&candidate != chosen)
      decision.alternatives.push_back({candidate.value, candidate.legal, candidate.reason});
  // One that was decided before is decided anew, in its place.
  plan::Decision* const before = plan.decisions.find(plan::decision_name(subject, key));
  const std::string value = decision.value;
  if (before != nullptr)
    *before = std::move(decision);
  else
    plan.decisions.push_back(std::move(decision));
  return value;
}

std::vector<std::string> allowed(const plan::Plan& plan, const std::string& subject,
                                 const std::string& key) {
  const plan::Decision* decision = plan.find_decision(subject, key);
  if (decision == nullptr || decision->value == "none") return {};
  std::vector<std::string> values = {decision->value};
  if (decision->pinned) return values;
  for (const plan::Alternative& other : decision->alternatives)
    if (other.legal) values.push_back(other.value);
  return values;
}

bool is_only_allowed(const plan::Plan& plan, const std::string& subject, const std::string& key,
                     const std::string& value) {
  return allowed(plan, subject, key) == std::vector<std::string>{value};
}

const ir::Algebra& algebra_of(const plan::Plan& plan, const std::string& phase) {
  return ir::algebra_of(*plan.program.find_phase(phase));
}

bool is_order_free(const plan::Plan& plan, const std::string& phase) {
  return algebra_of(plan, phase).is_order_free();
}

bool sends(const plan::Plan& plan, const std::string& phase) {
  const ir::Phase* known = plan.program.find_phase(phase);
  return known != nullptr && !ir::messages_sent(*known).empty();
}

bool gathers(const plan::Plan& plan, const std::string& phase) {
  const ir::Phase* known = plan.program.find_phase(phase);
  return known != nullptr && !ir::gathered_along(*known).empty();
}

std::string pin_of(const plan::Decision& decision, const std::string& value) {
  const std::string pin = decision.key + "=" + value;
  return decision.subject == kWholeProgram ? pin : decision.subject + "." + pin;
}

}  // namespace vertigo::compiler::passes
