#pragma once
// Prints a plan as one CUDA C++ file.

#include <string>

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// The text of the file; the same plan and options give the same bytes.
std::string emit_cuda(const plan::Plan& plan, const EmitOptions& options);

}  // namespace vertigo::compiler::emit
