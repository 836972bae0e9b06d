#pragma once
// Kernels as __global__ functions, with the balanced form of their edge loops.

#include "compiler/emit/common/EmitOptions.h"
#include "compiler/emit/common/Writer.h"
#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

void print_cuda_kernels(Writer& out, const plan::Plan& plan, const EmitOptions& options);

/// Whether the kernel has a loop that is shared as rows (vertigo/device/rows.cuh).
bool goes_through_rows(const plan::Kernel& kernel);
/// Or offers long lists to all blocks (vertigo/device/donations.cuh).
bool donates_lists(const plan::Kernel& kernel);

}  // namespace vertigo::compiler::emit
