#pragma once
// The ProgramInfo of an emitted file (docs/generated-code-contract.md).

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// The texts of both IRs and `const host::ProgramInfo& info()`.
void print_program_info(Writer& out, const plan::Plan& plan, const EmitOptions& options);

/// The comment at the top: what the file is, from what, with which options and decisions.
void print_header(Writer& out, const plan::Plan& plan, const EmitOptions& options,
                  const std::string& target);

}  // namespace vertigo::compiler::emit
