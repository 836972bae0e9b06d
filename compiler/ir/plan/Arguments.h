#pragma once
// What a kernel needs of the world: found by reading its body, so that kernels take exactly what
// they use.

#include <set>
#include <string>
#include <vector>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::plan {

/// Graph first, then what the domain runs over, lists and marks, arrays, counters, scalars,
/// parameters, step.
std::vector<KernelArgument> arguments_of(const Plan& plan, const Kernel& kernel);

/// Buffers that the action reads or changes, counters aside, to which all add. Of a launch: what
/// its kernel takes.
std::set<std::string> touched_by(const Plan& plan, const Action& action);

/// Whether the action has to wait for work that is going on in the same launch and touches `busy`:
/// kernels wait for each other, and for whoever changes what they read.
bool waits_for(const Plan& plan, const Action& action, const std::set<std::string>& busy,
               bool kernel_runs);

/// Whether the action is a launch that whoever comes next need not wait for: where it runs, it has
/// a barrier of its own.
bool has_own_barrier(const Plan& plan, const Action& action);

}  // namespace vertigo::plan
