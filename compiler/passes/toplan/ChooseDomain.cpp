#include "compiler/passes/toplan/ChooseDomain.h"

#include <algorithm>

#include "compiler/ir/program/Printer.h"
#include "compiler/passes/program/ShrinkingDomain.h"
#include "compiler/passes/program/SlicedDomain.h"
#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/SharedLists.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kPass = "choose-domain";
constexpr const char* kKey = "domain";
constexpr const char* kNoComparison =
    "no state is compared with a value of the host level in an update of those who qualify";

/// Whether the phase puts all vertices on the list of those to ask each time it starts.
bool asks_everyone(const ir::Phase& phase, const plan::PhasePlan& made) {
  const bool listed = std::ranges::any_of(made.variants, [](const plan::Variant& variant) {
    return variant.is_path() && variant.path.activation == Activation::DataDriven;
  });
  return listed && phase.starts.size() == 1 && phase.starts.front().set == ir::StartSet::All &&
         phase.starts.front().body.empty();
}

/// Why neither a list nor a slice is to be had; "" where one of them is.
struct Problem {
  std::string text;
  bool is_finding = false;  ///< about what the phase asks for, rather than that it asks all
};

Problem problem_of(const plan::Plan& plan, const plan::PhasePlan& made) {
  const ir::Phase& phase = *plan.program.find_phase(made.phase);
  if (phase.kind == ir::PhaseKind::Fixpoint && !asks_everyone(phase, made))
    return {
        "it neither updates those who qualify nor starts by asking all vertices for nothing but "
        "their guard"};
  if (!phase.guard) return {"it updates all vertices"};
  if (plan.uses.runs_once(phase.name)) return {"it runs once"};
  if (phase.serializable) return {"its vertices are listed by their colours", true};
  return {""};
}

std::string problem_of_engines(const plan::PhasePlan& made) {
  for (const plan::Variant& variant : made.variants)
    if (variant.engine)
      return "engine " + variant.engine->name + " goes through vertices in a way of its own";
  return "";
}

/// What may be looked at instead of all vertices: the best first, and what is in the way of others
/// that the condition could be thought to allow.
std::vector<Candidate> candidates(const plan::Plan& plan, const ir::Phase& phase) {
  std::vector<Candidate> found;
  const SlicedDomain sliced = find_sliced_domain(plan.program, phase);
  const ShrinkingDomain shrinking = find_shrinking_domain(plan.program, phase);
  if (!sliced.state.empty())
    found.push_back({"slice", true,
                     sliced.reason + ": the vertices are sorted by it before the loop, and a round "
                                     "looks at those of one value"});
  const std::string all = "every round looks at all vertices";
  const bool few = shrinking.lasting && rules_out_few(plan.program, plan.uses, *shrinking.lasting);
  if (few)
    found.push_back({"all", true,
                     all + ": nothing that runs again assigns what " + quoted(*shrinking.lasting) +
                         " reads, and it holds at first, so that a list would hold most vertices "
                         "in every round"});
  if (shrinking.lasting)
    found.push_back({"list", true,
                     shrinking.reason + ": a list of them is kept, and made anew in every round"});
  if (!few) found.push_back({"all", true, all});
  if (!shrinking.lasting) found.push_back({"list", false, shrinking.reason});
  if (sliced.state.empty())
    found.push_back({"slice", false, sliced.reason.empty() ? kNoComparison : sliced.reason});
  return found;
}

/// Adds to the reasons of lists who leaves them besides those whose condition does not hold.
void tell_settled(plan::Plan& plan) {
  for (const auto& [phase, list] : toplan::shared_lists(plan)) {
    if (!list.settled || list.settles != phase) continue;
    plan::Decision* const decision = plan.decisions.find(plan::decision_name(phase, kKey));
    if (decision->value != "list" || decision->pinned) continue;
    decision->reason += "; where '" + list.settled->state +
                        "' comes to nothing it stays nothing, and nobody asks for such vertices: "
                        "they leave the list, too";
  }
}

/// Of what looks at all vertices whatever the schedule says.
void refuse_pin(PassContext& context, const std::string& phase, const std::string& problem) {
  const Pin* const pin = context.schedule.find(phase, kKey);
  if (pin != nullptr && pin->value != "all")
    context.diagnostics.report(diag::IllegalSchedule, pin->range,
                               std::string(kKey) + "=" + pin->value, "phase '" + phase + "'",
                               problem);
}

void state(ir::Program& program, const std::string& phase, const std::string& reason) {
  for (ir::Phase& known : program.phases) {
    if (known.name != phase) continue;
    std::erase_if(known.facts, [](const ir::Fact& fact) { return fact.key == kKey; });
    known.facts.push_back({kKey, "all", reason});
  }
}

/// Why all vertices are looked at: what is in the way of everything else.
std::string reasons_against(const std::vector<Candidate>& all) {
  std::string text;
  for (const Candidate& each : all)
    if (!each.legal && each.reason != kNoComparison)
      text += (text.empty() ? "" : "; ") + each.reason;
  return text;
}

void choose(plan::Plan& plan, PassContext& context, const plan::PhasePlan& made) {
  const ir::Phase& phase = *plan.program.find_phase(made.phase);
  Problem problem = problem_of(plan, made);
  std::vector<Candidate> found;
  if (problem.text.empty()) {
    found = candidates(plan, phase);
    const bool has_choice = found.front().value != "all" || found[1].legal;
    problem = {has_choice ? problem_of_engines(made) : reasons_against(found), true};
  }
  if (problem.text.empty()) {
    decide(plan, context, kPass, made.phase, kKey, found);
    return;
  }
  refuse_pin(context, made.phase, problem.text);
  if (problem.is_finding) state(plan.program, made.phase, problem.text);
}

}  // namespace

void choose_domain(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases) choose(plan, context, phase);
  tell_settled(plan);
}

bool has_listed_domain(const plan::Plan& plan, const std::string& phase) {
  const plan::Decision* const decision = plan.find_decision(phase, kKey);
  return decision != nullptr && decision->value == "list";
}

bool has_sliced_domain(const plan::Plan& plan, const std::string& phase) {
  const plan::Decision* const decision = plan.find_decision(phase, kKey);
  return decision != nullptr && decision->value == "slice";
}

}  // namespace vertigo::compiler::passes
