#include "compiler/passes/toplan/engines/Engines.h"

#include <llvm/Support/ErrorHandling.h>

#include "compiler/ir/program/Spelling.h"

namespace vertigo::compiler::toplan {

const std::vector<EngineRule>& engines() {
  static const std::vector<EngineRule> rules = {
#define VG_ENGINE(name, ...) {name##_contract, &judge_##name, &build_##name},
#include "vertigo/engines/engines.def"
  };
  return rules;
}

const EngineRule* find_engine(const std::string& name) {
  for (const EngineRule& rule : engines())
    if (name == rule.contract.name) return &rule;
  return nullptr;
}

const EngineRule& engine_chosen_by(std::string_view key) {
  for (const EngineRule& rule : engines())
    if (rule.contract.choice.key == key) return rule;
  llvm_unreachable("no engine's contract names this key of the schedule");
}

std::vector<std::string> values_of_choice(std::string_view key) {
  const EngineRule& rule = engine_chosen_by(key);
  return {std::string(rule.contract.choice.left), taken_by(rule.contract)};
}

std::string taken_by(const vertigo::engines::Contract& contract) {
  return std::string(contract.choice.taken.empty() ? contract.name : contract.choice.taken);
}

Judgement legal(const vertigo::engines::Contract& contract, const std::string& proved) {
  return {true, proved + std::string(contract.why)};
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
