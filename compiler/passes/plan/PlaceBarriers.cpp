#include "compiler/passes/plan/PlaceBarriers.h"

#include <algorithm>
#include <set>

#include "compiler/passes/plan/GridChain.h"
#include "compiler/passes/plan/RoundsBuilder.h"

namespace vertigo::compiler::passes {

namespace {

using plan::Action;
using plan::ActionKind;

const Action kBarrier{ActionKind::Barrier, "", "", {}};

/// What happens in a fused variant's steps, and between them.
template <class Visit>
void for_each_action(const plan::Variant& variant, const Visit& visit) {
  std::ranges::for_each(variant.step, visit);
  if (!variant.hybrid) return;
  std::ranges::for_each(variant.hybrid->to_list, visit);
  std::ranges::for_each(variant.hybrid->to_all, visit);
}

class LoopBuilder {
 public:
  LoopBuilder(const plan::Plan& plan, const plan::PhasePlan& phase) : chain_(plan), phase_(phase) {}

  plan::StepLoop run() {
    plan::StepLoop loop;
    for (const plan::Variant& variant : phase_.variants)
      if (variant.fused) for_each_action(variant, [&](const Action& each) { chain_.note(each); });
    for (const plan::Variant& variant : phase_.variants) {
      if (variant.hybrid) {
        loop.changes.push_back({true, chain_.chained(variant.hybrid->to_list, kBarrier)});
        loop.changes.push_back({false, chain_.chained(variant.hybrid->to_all, kBarrier)});
      } else if (variant.fused) {
        loop.steps.push_back(
            {variant.name(),
             chain_.chained(variant.step, {ActionKind::EndStep, variant.pending, "", {}})});
      }
    }
    loop.holds = chain_.holds();
    loop.takes = chain_.takes();
    return loop;
  }

 private:
  GridChain chain_;
  const plan::PhasePlan& phase_;
};

/// Kernels that the host launches and kernels that loops call.
struct Callers {
  std::set<std::string> host;
  std::set<std::string> loops;
};

Callers callers_of(const plan::Plan& plan) {
  Callers callers;
  const auto add = [](std::set<std::string>& kernels, const std::vector<Action>& actions) {
    for (const Action& action : actions)
      if (action.kind == ActionKind::Launch) kernels.insert(action.symbol);
  };
  add(callers.host, plan.initialize);
  for (const plan::VertexReduction& reduction : plan.reductions)
    if (reduction.phase.empty()) callers.host.insert(reduction.kernel);
  for (const plan::PhasePlan& phase : plan.phases) {
    add(callers.host, phase.finish);
    for (const plan::Variant& variant : phase.variants) {
      add(callers.host, variant.prepare);
      add(variant.fused ? callers.loops : callers.host, variant.step);
      if (!variant.fused || !variant.hybrid) continue;
      add(callers.loops, variant.hybrid->to_list);
      add(callers.loops, variant.hybrid->to_all);
    }
  }
  for (const plan::Rounds& rounds : plan.rounds) {
    for (const plan::Rounds::Part& part : rounds.parts) {
      add(callers.loops, part.begin);
      add(callers.loops, part.finish);
    }
    for (const std::string& name : rounds.reductions)
      if (const plan::VertexReduction& reduction = *plan.find_reduction(name);
          reduction.phase.empty())
        callers.loops.insert(reduction.kernel);
  }
  return callers;
}

}  // namespace

void place_barriers(plan::Plan& plan, PassContext&) {
  for (plan::PhasePlan& phase : plan.phases) {
    phase.loop.reset();
    if (std::ranges::any_of(phase.variants, [](const auto& variant) { return variant.fused; }))
      phase.loop = LoopBuilder(plan, phase).run();
  }
  const std::vector<const ir::Stmt*> loops = plan::loops_of(plan);
  for (plan::Rounds& rounds : plan.rounds) chain_rounds(plan, *loops[rounds.loop], rounds);
  const Callers callers = callers_of(plan);
  for (plan::Kernel& kernel : plan.kernels) {
    const bool host = callers.host.contains(kernel.name);
    const bool loop = callers.loops.contains(kernel.name);
    kernel.called_by = !loop ? plan::Caller::Host : host ? plan::Caller::Both : plan::Caller::Loop;
  }
}

}  // namespace vertigo::compiler::passes
