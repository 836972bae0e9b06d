#include "compiler/passes/toplan/FuseIterations.h"

#include <algorithm>

#include "compiler/passes/toplan/Decide.h"

namespace vertigo::compiler::passes {

namespace {

std::vector<Candidate> candidates(const plan::Plan& plan, const plan::PhasePlan& phase) {
  const ir::Phase* known = plan.program.find_phase(phase.phase);
  if (known != nullptr && known->kind == ir::PhaseKind::Sweep)
    return {{"launch", true, "an update of all vertices is one step"},
            {"persistent", false, "there is one step"}};
  const Candidate persistent{
      "persistent", true,
      "a barrier between two steps costs a few microseconds, a launch and a look from the host "
      "thirty; the loop comes back at a limit of steps, and where values must be looked at"};
  const bool changes = std::any_of(phase.variants.begin(), phase.variants.end(),
                                   [](const auto& variant) { return variant.hybrid.has_value(); });
  if (changes)
    return {persistent, {"launch", false, "variant hybrid changes between paths on the device"}};
  const bool engine = !phase.variants.empty() && phase.variants[phase.preferred].engine;
  if (engine)
    return {{"launch", true,
             "engine " + phase.variants[phase.preferred].engine->name +
                 " loops on the device by itself; the paths beside it are one launch per kernel "
                 "and step, each seen by the host and by profilers, and compile sooner"},
            persistent};
  return {persistent,
          {"launch", true, "one launch per kernel and step, each seen by the host and by profilers"}};
}

}  // namespace

void fuse_iterations(plan::Plan& plan, PassContext& context) {
  for (plan::PhasePlan& phase : plan.phases)
    phase.fused = decide(plan, context, "fuse-iterations", phase.phase, "fusion",
                         candidates(plan, phase)) == "persistent";
}

}  // namespace vertigo::compiler::passes
