#include "compiler/passes/toplan/FuseIterations.h"

#include <algorithm>

#include "compiler/passes/toplan/ChooseTransfer.h"
#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

const plan::Hybrid* hybrid_of(const plan::PhasePlan& phase) {
  for (const plan::Variant& variant : phase.variants)
    if (variant.hybrid) return &*variant.hybrid;
  return nullptr;
}

bool is_coloured(const plan::Variant& variant) {
  return variant.is_path() && variant.path.timing == Timing::Coloured;
}

std::vector<Candidate> candidates(const plan::Plan& plan, const plan::PhasePlan& phase) {
  const ir::Phase* known = plan.program.find_phase(phase.phase);
  if (known != nullptr && known->kind == ir::PhaseKind::Sweep)
    return {{"launch", true, "an update of all vertices is one step"},
            {"persistent", false, "there is one step"}};
  if (const std::string parts = problem_of_whole_graph(plan); !parts.empty())
    return {{"launch", true, "the host brings one part of the graph after the other"},
            {"persistent", false, "steps in one launch read the whole graph: " + parts}};
  if (std::ranges::all_of(phase.variants, is_coloured))
    return {{"launch", true, "the host goes from one colour class to the next"},
            {"persistent", false, "colour classes have a launch each"}};
  const Candidate persistent{
      "persistent", true,
      "a barrier between two steps costs a microsecond or two, a launch and a look from the host "
      "thirty; the loop comes back at a limit of steps, and where values must be looked at"};
  if (hybrid_of(phase) != nullptr)
    return {{"persistent", true,
             "variant hybrid changes between paths on the device; paths that it does not take are "
             "launched, unless this is pinned"},
            {"launch", false, "variant hybrid changes between paths on the device"}};
  const bool engine = !phase.variants.empty() && phase.variants[phase.preferred].engine;
  if (engine)
    return {{"launch", true,
             "engine " + phase.variants[phase.preferred].engine->name +
                 " loops on the device by itself; the paths beside it are one launch per kernel "
                 "and step, each seen by the host and by profilers, and compile sooner"},
            persistent};
  return {
      persistent,
      {"launch", true, "one launch per kernel and step, each seen by the host and by profilers"}};
}

}  // namespace

void fuse_iterations(plan::Plan& plan, PassContext& context) {
  for (plan::PhasePlan& phase : plan.phases) {
    const bool fuses = decide(plan, context, "fuse-iterations", phase.phase, "fusion",
                              candidates(plan, phase)) == "persistent";
    const plan::Hybrid* hybrid = hybrid_of(phase);
    const bool all = hybrid == nullptr || plan.find_decision(phase.phase, "fusion")->pinned;
    for (plan::Variant& variant : phase.variants) {
      variant.fused = fuses && !variant.engine && !is_coloured(variant) &&
                      (all || variant.hybrid ||
                       std::find(hybrid->paths.begin(), hybrid->paths.end(), variant.name()) !=
                           hybrid->paths.end());
      variant.whole_graph = variant.whole_graph || variant.fused;
    }
  }
}

}  // namespace vertigo::compiler::passes
