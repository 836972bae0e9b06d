#include "compiler/passes/Passes.h"

#include <algorithm>

namespace vertigo::compiler::passes {

#define VG_PROGRAM_PASS(function, name, summary) void function(ir::Program&, PassContext&);
#define VG_PLAN_PASS(function, name, summary) void function(plan::Plan&, PassContext&);
#include "compiler/passes/Passes.def"

namespace {

template <class Pass>
const Pass* find(const std::vector<Pass>& passes, std::string_view name) {
  const auto found = std::find_if(passes.begin(), passes.end(),
                                  [&](const Pass& pass) { return pass.name == name; });
  return found == passes.end() ? nullptr : &*found;
}

}  // namespace

const std::vector<ProgramPass>& program_passes() {
  static const std::vector<ProgramPass> passes = {
#define VG_PROGRAM_PASS(function, name, summary) {name, summary, function},
#define VG_PLAN_PASS(function, name, summary)
#include "compiler/passes/Passes.def"
  };
  return passes;
}

const std::vector<PlanPass>& plan_passes() {
  static const std::vector<PlanPass> passes = {
#define VG_PROGRAM_PASS(function, name, summary)
#define VG_PLAN_PASS(function, name, summary) {name, summary, function},
#include "compiler/passes/Passes.def"
  };
  return passes;
}

const ProgramPass* find_program_pass(std::string_view name) { return find(program_passes(), name); }
const PlanPass* find_plan_pass(std::string_view name) { return find(plan_passes(), name); }

}  // namespace vertigo::compiler::passes
