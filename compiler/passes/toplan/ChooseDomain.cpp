#include "compiler/passes/toplan/ChooseDomain.h"

#include <algorithm>

#include "compiler/passes/program/ShrinkingDomain.h"
#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/SharedLists.h"

namespace vertigo::compiler::passes {

namespace {

constexpr const char* kPass = "choose-domain";
constexpr const char* kKey = "domain";

/// Whether the phase puts all vertices on the list of those to ask each time it starts.
bool asks_everyone(const ir::Phase& phase, const plan::PhasePlan& made) {
  const bool listed = std::ranges::any_of(made.variants, [](const plan::Variant& variant) {
    return variant.is_path() && variant.path.activation == Activation::DataDriven;
  });
  return listed && phase.starts.size() == 1 && phase.starts.front().set == ir::StartSet::All &&
         phase.starts.front().body.empty();
}

/// Why there is no list to choose; "" where there is one. Of an update that runs again, the reason
/// is a finding about its condition.
struct Choice {
  std::string problem;
  std::string lasting;
  bool is_finding = false;
};

Choice choice_of(const plan::Plan& plan, const plan::PhasePlan& made) {
  const ir::Phase& phase = *plan.program.find_phase(made.phase);
  if (phase.kind == ir::PhaseKind::Fixpoint && !asks_everyone(phase, made))
    return {
        "it neither updates those who qualify nor starts by asking all vertices for nothing but "
        "their guard",
        ""};
  if (!phase.guard) return {"it updates all vertices", ""};
  if (plan.uses.runs_once(phase.name)) return {"it runs once", ""};
  if (phase.serializable) return {"its vertices are listed by their colours", "", true};
  const ShrinkingDomain domain = find_shrinking_domain(plan.program, phase);
  if (!domain.lasting) return {domain.reason, "", true};
  for (const plan::Variant& variant : made.variants)
    if (variant.engine)
      return {"engine " + variant.engine->name + " goes through vertices in a way of its own", "",
              true};
  return {"", domain.reason};
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

}  // namespace

void choose_domain(plan::Plan& plan, PassContext& context) {
  for (const plan::PhasePlan& phase : plan.phases) {
    const Choice choice = choice_of(plan, phase);
    if (choice.problem.empty()) {
      decide(plan, context, kPass, phase.phase, kKey,
             {{"list", true,
               choice.lasting + ": a list of them is kept, and made anew in every round"},
              {"all", true, "every round looks at all vertices"}});
      continue;
    }
    refuse_pin(context, phase.phase, choice.problem);
    if (choice.is_finding) state(plan.program, phase.phase, choice.problem);
  }
  tell_settled(plan);
}

bool has_listed_domain(const plan::Plan& plan, const std::string& phase) {
  const plan::Decision* const decision = plan.find_decision(phase, kKey);
  return decision != nullptr && decision->value == "list";
}

}  // namespace vertigo::compiler::passes
