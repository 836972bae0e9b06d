#include "compiler/passes/toplan/ChoosePreparation.h"

#include "compiler/passes/toplan/BuildMessageBuffer.h"
#include "compiler/passes/toplan/Decide.h"
#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::passes {

namespace {

/// What an engine makes of the graph before the runs, or what the kernels of a path need; "" where
/// that is nothing. Which kernels look at all vertices, build-kernels decides: topology-driven
/// ones, and those of a sweep that reads its neighbours.
std::string work_of(const plan::Plan& plan, const std::string& phase,
                    const plan::Variant& variant) {
  if (variant.engine) {
    const toplan::EngineRule* const rule = toplan::find_engine(variant.engine->name);
    return rule == nullptr ? "" : std::string(rule->contract.preparation.what);
  }
  if (sends(plan, phase) && toplan::is_buffered(variant) && toplan::has_message_buffer(plan))
    return "a slot for the message of every edge";
  const plan::Decision* balance = plan.find_decision(phase, "balance");
  const bool looks_at_all = variant.hybrid ||
                            variant.path.activation == Activation::TopologyDriven ||
                            plan.program.find_phase(phase)->kind == ir::PhaseKind::Sweep;
  if (balance != nullptr && balance->value == "sorted" && looks_at_all)
    return "vertices approximately by degree";
  return "";
}

/// What the plan's variants prepare, in words; `has_other`: every phase has one that prepares
/// nothing.
std::string work_of(const plan::Plan& plan, bool& has_other) {
  std::string work;
  has_other = true;
  for (const plan::PhasePlan& phase : plan.phases) {
    bool phase_has_other = phase.variants.empty();
    for (const plan::Variant& variant : phase.variants) {
      const std::string made = work_of(plan, phase.phase, variant);
      if (made.empty())
        phase_has_other = true;
      else
        work += (work.empty() ? "" : "; ") + variant.name() + ": " + made;
    }
    has_other = has_other && phase_has_other;
  }
  return work;
}

std::vector<Candidate> candidates(const plan::Plan& plan) {
  bool has_other = true;
  const std::string work = work_of(plan, has_other);
  if (work.empty()) {
    const char* why = "no variant makes anything of the graph before it runs";
    return {
        {"none", true, why}, {"auto", false, why}, {"always", false, why}, {"never", false, why}};
  }
  return {
      {"auto", true,
       "once per graph and process, where the measured cost is less than what the runs save (" +
           work + ")"},
      {"always", true, "whatever the number of runs"},
      {"never", has_other,
       has_other ? "variants that prepare nothing are left" : "every variant prepares the graph"},
      {"none", false, "some variant prepares the graph"}};
}

}  // namespace

void choose_preparation(plan::Plan& plan, PassContext& context) {
  decide(plan, context, "choose-preparation", kWholeProgram, "preparation", candidates(plan));
}

}  // namespace vertigo::compiler::passes
