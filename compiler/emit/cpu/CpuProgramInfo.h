#pragma once
// The host::ProgramInfo of an emitted file.

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// The texts of both IRs and `const host::ProgramInfo& info()`.
void print_cpu_program_info(Writer& out, const plan::Plan& plan, const EmitOptions& options);

}  // namespace vertigo::compiler::emit
