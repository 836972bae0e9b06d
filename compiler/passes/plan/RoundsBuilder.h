#pragma once
// The part of place-barriers that fills in loops of the host level.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

/// `loop`: the one whose rounds they are. Needs the arguments of kernels, and the step loops of the
/// phases that run in it.
void chain_rounds(const plan::Plan& plan, const ir::Stmt& loop, plan::Rounds& rounds);

}  // namespace vertigo::compiler::passes
