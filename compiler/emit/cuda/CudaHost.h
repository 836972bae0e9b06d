#pragma once
// The class that owns a program's buffers and launches its kernels, on gpu::Session.

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

void print_cuda_host(Writer& out, const plan::Plan& plan);

}  // namespace vertigo::compiler::emit
