#include "compiler/passes/toplan/ChooseController.h"

#include <algorithm>

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const plan::PhasePlan& phase) {
  const plan::Decision* variant = plan.find_decision(phase.phase, "variant");
  const bool wanted = variant != nullptr && variant->value == kHybridName;
  const bool can_change = std::any_of(phase.variants.begin(), phase.variants.end(),
                                      [](const auto& each) { return each.hybrid.has_value(); });
  if (!can_change) {
    std::string why = "one variant runs the whole phase";
    if (variant != nullptr)
      for (const plan::Alternative& other : variant->alternatives)
        if (other.value == kHybridName)
          why = other.legal ? "one variant runs the whole phase, unless variant=hybrid is pinned"
                            : other.reason;
    return {{"fixed", true, why}, {"iterative", false, why}, {"traversal", false, why}};
  }
  const Candidate iterative{"iterative", true,
                            "most vertices are active for many steps: each path that may pay is "
                            "tried once, then the one is taken "
                            "that its time per active edge predicts to be the fastest"};
  const Candidate traversal{
      "traversal", true,
      "activity spreads from a few vertices: push, and pull while the frontier has most of the "
      "edges that are untouched"};
  const Candidate fixed{"fixed", !wanted || !variant->pinned,
                        variant != nullptr && wanted && variant->pinned
                            ? "variant=hybrid is pinned"
                            : "one variant runs the whole phase"};
  if (algebra_of(plan, phase.phase).activity.value == ir::Activity::Traversal)
    return {traversal, iterative, fixed};
  return {iterative, traversal, fixed};
}

}  // namespace

std::vector<std::string> paths_of(const plan::Plan& plan, const plan::PhasePlan& phase,
                                  ir::Activity activity) {
  const auto has = [&](const ExecutionPath& path) {
    return std::any_of(phase.variants.begin(), phase.variants.end(),
                       [&](const auto& each) { return each.is_path() && each.path == path; });
  };
  // Messages of one step that all have the same value stay so only where steps are kept apart.
  ExecutionPath listed{Timing::Asynchronous, Direction::Push, Activation::DataDriven};
  if (!has(listed) || algebra_of(plan, phase.phase).uniform_cost.value)
    listed.timing = Timing::Synchronous;
  const ExecutionPath all{listed.timing, Direction::Push, Activation::TopologyDriven};
  const ExecutionPath pulled{Timing::Synchronous, Direction::Pull, Activation::TopologyDriven};
  std::vector<ExecutionPath> wanted = {listed, pulled};
  if (activity == ir::Activity::Iterative) wanted = {pulled, all, listed};
  std::vector<std::string> names;
  for (const ExecutionPath& path : wanted)
    if (has(path)) names.push_back(spelling(path));
  return names;
}

void choose_controller(plan::Plan& plan, PassContext& context) {
  for (plan::PhasePlan& phase : plan.phases) {
    const std::string control = decide(plan, context, "choose-controller", phase.phase,
                                       "controller", candidates(plan, phase));
    for (plan::Variant& variant : phase.variants) {
      if (!variant.hybrid) continue;
      variant.hybrid->control = control;
      variant.hybrid->paths = paths_of(
          plan, phase, control == "iterative" ? ir::Activity::Iterative : ir::Activity::Traversal);
    }
  }
}

}  // namespace vertigo::compiler::passes
