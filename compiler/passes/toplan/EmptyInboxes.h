#pragma once
// A phase `update … when` that ends empties the inboxes it reads, unless their message is kept
// (docs/language.md). Its variants leave whatever suits them, and one kernel behind them all puts
// that right.

#include "compiler/passes/program/Leftovers.h"
#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Adds the kernel to the end of the phase, where something can be left and a phase that runs
/// afterwards has to do with it.
void empty_inboxes(PhaseKernels& kernels, plan::PhasePlan& plan);

}  // namespace vertigo::compiler::toplan
