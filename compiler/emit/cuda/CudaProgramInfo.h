#pragma once
// The gpu::ProgramTables of an emitted file: host::ProgramInfo in flat tables, because nested lists
// would need the standard library's containers (docs/decisions/thin-device-headers.md).

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// The texts of both IRs and `const ProgramTables kInfo`.
void print_cuda_program_info(Writer& out, const plan::Plan& plan, const EmitOptions& options);

}  // namespace vertigo::compiler::emit
