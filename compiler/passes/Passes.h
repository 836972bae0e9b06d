#pragma once
// Every pass by name. The two IR levels are two types, so that a pass cannot be run on the wrong
// one.

#include <string_view>
#include <vector>

#include "compiler/ir/plan/Plan.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

struct ProgramPass {
  const char* name;
  const char* summary;
  void (*run)(ir::Program&, PassContext&);
};

struct PlanPass {
  const char* name;
  const char* summary;
  void (*run)(plan::Plan&, PassContext&);
};

/// In the order of Passes.def.
const std::vector<ProgramPass>& program_passes();
const std::vector<PlanPass>& plan_passes();

const ProgramPass* find_program_pass(std::string_view name);
const PlanPass* find_plan_pass(std::string_view name);

}  // namespace vertigo::compiler::passes
