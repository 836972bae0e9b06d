#pragma once
// The class that owns a program's buffers and runs its kernels on the CPU.

#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

void print_cpu_host(Writer& out, const plan::Plan& plan);

}  // namespace vertigo::compiler::emit
