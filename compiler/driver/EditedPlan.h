#pragma once
// `--plan FILE`: a plan that `--emit=plan` printed, perhaps edited, takes the place of what the
// passes would decide.

#include <string>

#include "compiler/ir/plan/Plan.h"
#include "compiler/passes/PassRunner.h"

namespace vertigo::compiler::driver {

/// Fills `plan` from the file. An edited decision is a pin: its legality is checked, and the
/// kernels are built anew from it. Edited variants, buffers or kernels are taken as they stand,
/// once the verifier has passed them; how they are arranged (passes/plan) follows from them anew.
/// The program in the file must be the one being compiled. False where an error was reported.
bool take_edited_plan(const std::string& path, ir::Program program, passes::PassRunner& runner,
                      plan::Plan& plan);

}  // namespace vertigo::compiler::driver
