#pragma once
// The order of the passes; Pipeline.cpp is the table of contents.

#include <vector>

#include "compiler/passes/PassRunner.h"

namespace vertigo::compiler::passes {

struct PipelineStep {
  const char* pass;
  const char* because;  ///< why here; "" where any place would do
};

/// Over Program IR; over Plan IR the decisions and the code that follows from them; then how that
/// code is arranged for the printers.
const std::vector<PipelineStep>& program_pipeline();
const std::vector<PipelineStep>& plan_pipeline();
const std::vector<PipelineStep>& arrangement_pipeline();

/// A plan that owns the program and has decided nothing yet: one PhasePlan per phase, without
/// variants.
plan::Plan begin_plan(ir::Program program);

/// The program with the facts of passes/program. False where a pass reported an error.
bool analyse_program(ir::Program& program, PassRunner& runner);

/// The passes of passes/plan alone, also over a plan that they have arranged before: they make anew
/// what follows from kernels and variants that somebody edited.
bool arrange_plan(PassRunner& runner, plan::Plan& plan);

/// All passes. False where one reported an error; `plan` then holds what was decided before.
bool make_plan(ir::Program program, PassRunner& runner, plan::Plan& plan);

/// `vertigo --list-passes`: the passes in order, what they do and why they stand there.
void list_passes(llvm::raw_ostream& out);

}  // namespace vertigo::compiler::passes
