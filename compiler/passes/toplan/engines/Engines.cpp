#include "compiler/passes/toplan/engines/Engines.h"

namespace vertigo::compiler::toplan {

const std::vector<EngineRule>& engines() {
  static const std::vector<EngineRule> rules = {
#define VG_ENGINE(name, summary) {#name, summary, &judge_##name, &build_##name},
#include "compiler/passes/toplan/engines/Engines.def"
  };
  return rules;
}

const EngineRule* find_engine(const std::string& name) {
  for (const EngineRule& rule : engines())
    if (name == rule.name) return &rule;
  return nullptr;
}

}  // namespace vertigo::compiler::toplan
