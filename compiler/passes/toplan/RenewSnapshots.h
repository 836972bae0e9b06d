#pragma once
// Snapshots of states that neighbours read while a step changes them, where only a few vertices
// change: kernels that make the entries of those anew.

#include <set>
#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Sets the snapshots of vertex `v` to what its states are now.
void renew_snapshots(PhaseKernels& kernels, const std::set<std::string>& states, plan::Block& block,
                     const std::string& v);

/// The same for what updates behind this one read, where it keeps that for them (KeptSnapshots.h).
void keep_for_others(PhaseKernels& kernels, plan::Block& block, const std::string& v);

/// A kernel that does so for the vertices that a step activated, behind it.
plan::Kernel renew_active(PhaseKernels& kernels, const std::set<std::string>& states);

/// A kernel that does so for the slice that a step is about to change, in front of it. Nobody else
/// changes in the step.
plan::Kernel keep_slice(PhaseKernels& kernels, const std::set<std::string>& states);

}  // namespace vertigo::compiler::toplan
