#pragma once
// What a kernel needs of the world: found by reading its body, so that kernels take exactly what
// they use.

#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

/// Graph first, then what the domain runs over, lists and marks, arrays, counters, scalars,
/// parameters, step.
std::vector<KernelArgument> arguments_of(const Plan& plan, const Kernel& kernel);

}  // namespace vertigo::plan
