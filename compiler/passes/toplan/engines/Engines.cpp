#include "compiler/passes/toplan/engines/Engines.h"

#include "compiler/ir/program/Spelling.h"

namespace vertigo::compiler::toplan {

const std::vector<EngineRule>& engines() {
  static const std::vector<EngineRule> rules = {
#define VG_ENGINE(name, summary) {#name, summary, &judge_##name, &build_##name},
#include "vertigo/engines/engines.def"
  };
  return rules;
}

const EngineRule* find_engine(const std::string& name) {
  for (const EngineRule& rule : engines())
    if (name == rule.name) return &rule;
  return nullptr;
}

std::string problem_of_improvement(const plan::Plan& plan, const ir::Phase& phase) {
  const PhaseAnalysis analysis = analyse(plan, phase, true);
  if (phase.kind == ir::PhaseKind::Fixpoint && analysis.read.size() == 1) {
    const ir::Combine combine = plan.program.find_message(analysis.read.front())->combine;
    if (combine != ir::Combine::Min && combine != ir::Combine::Max)
      return "messages are combined by " + std::string(to_string(combine)) + ", not by min or max";
  }
  const bool proved = ir::algebra_of(phase).order.value == ir::Order::Free;
  return proved ? "" : ir::algebra_of(phase).order.reason;
}

}  // namespace vertigo::compiler::toplan
