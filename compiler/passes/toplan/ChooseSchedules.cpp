#include "compiler/passes/toplan/ChooseSchedules.h"

#include <algorithm>
#include <set>

#include "compiler/passes/toplan/Decide.h"
#include "vertigo/core/substitute.h"

namespace vertigo::compiler::passes {

namespace {

int rank(const plan::Variant& variant) { return rank_as_substitute(variant.kind()); }

/// The best path among those for which `fits` holds; null where there is none. A path takes any
/// weights, and edges in parts.
template <class Fits>
const plan::Variant* best_path(const plan::PhasePlan& phase, const Fits& fits) {
  const plan::Variant* best = nullptr;
  for (const plan::Variant& variant : phase.variants)
    if (variant.is_path() && fits(variant) && (best == nullptr || rank(variant) < rank(*best)))
      best = &variant;
  return best;
}

/// Sums may turn out to need their steps, for the values that a run has or because an engine gives
/// up (runtime/src/host/lawful.cpp). Whether states tell an asynchronous pull enough, build-kernels
/// finds out.
bool may_need_steps(const plan::Plan& plan, const plan::PhasePlan& phase,
                    const plan::Variant& preferred) {
  return algebra_of(plan, phase.phase).form == ir::Form::Accumulation ||
         (preferred.is_path() && preferred.path.timing == Timing::Asynchronous &&
          preferred.path.direction == Direction::Pull);
}

/// `preferred` and what stands in for it.
void add_needed(const plan::Plan& plan, const plan::PhasePlan& phase,
                const plan::Variant& preferred, std::set<std::string>& names) {
  names.insert(preferred.name());
  if (preferred.hybrid)
    names.insert(preferred.hybrid->paths.begin(), preferred.hybrid->paths.end());
  const auto keep = [&](const plan::Variant* variant) {
    if (variant != nullptr) names.insert(variant->name());
    return variant != nullptr;
  };
  const auto any = [](const plan::Variant&) { return true; };
  const auto deterministic = [](const plan::Variant& variant) { return variant.deterministic; };
  const auto in_step = [](const plan::Variant& variant) {
    return variant.path.timing == Timing::Synchronous;
  };
  if (!preferred.is_path()) keep(best_path(phase, any));
  if (!preferred.is_path() || !preferred.deterministic) keep(best_path(phase, deterministic));
  if (may_need_steps(plan, phase, preferred)) {
    const auto both = [&](const auto& each) { return in_step(each) && each.deterministic; };
    if (!keep(best_path(phase, both))) keep(best_path(phase, in_step));
  }
}

std::set<std::string> needed(const plan::Plan& plan, const plan::PhasePlan& phase) {
  std::set<std::string> names;
  const plan::Variant& preferred = phase.variants[phase.preferred];
  add_needed(plan, phase, preferred, names);
  if (!preferred.is_for_some()) return names;
  const auto hybrid = std::ranges::find_if(
      phase.variants, [](const plan::Variant& variant) { return variant.hybrid.has_value(); });
  if (hybrid != phase.variants.end()) add_needed(plan, phase, *hybrid, names);
  return names;
}

void keep_needed(const plan::Plan& plan, plan::PhasePlan& phase) {
  if (phase.variants.empty()) return;
  const std::set<std::string> names = needed(plan, phase);
  const std::string preferred = phase.variants[phase.preferred].name();
  std::erase_if(phase.variants,
                [&](const plan::Variant& variant) { return !names.contains(variant.name()); });
  const auto found = std::ranges::find_if(
      phase.variants, [&](const plan::Variant& variant) { return variant.name() == preferred; });
  phase.preferred = static_cast<std::size_t>(found - phase.variants.begin());
}

}  // namespace

void choose_schedules(plan::Plan& plan, PassContext& context) {
  const Candidate few{
      "needed", true,
      "compiled is what a run comes to by itself: the preferred variant of each phase, what its "
      "controller changes to, and what stands in where memory, weights, values, edges without a "
      "reverse, parallel ones or --deterministic rule it out"};
  const Candidate all{"all", true,
                      "every legal variant is compiled, for --compare-schedules and for pins when "
                      "the program runs"};
  if (decide(plan, context, "choose-schedules", kWholeProgram, "schedules", {few, all}) == "all")
    return;
  for (plan::PhasePlan& phase : plan.phases) keep_needed(plan, phase);
}

}  // namespace vertigo::compiler::passes
