#pragma once
// infer-algebra
//
// Does: proves, per phase, what must hold before any schedule but the synchronous one may be used
// (docs/semantics.md, rule 5), and names each proof obligation that held or failed. Fills the
// phase's algebra (compiler/ir/program/Algebra.h).
// Needs: verified Program IR; derive-requirements before it, because the sign of weights is an
// argument of monotonicity.
// Guarantees: the order is free only where every order of activations reaches the same result (for
// floating sums: within the threshold of the guard).
// Why here: every decision of passes/toplan reads what it found.

#include "compiler/ir/program/Uses.h"

namespace vertigo::compiler::passes {

struct PassContext;

void infer_algebra(ir::Program& program, PassContext& context);

/// The same for a program that another pass makes of a part of this one.
void infer_algebra(ir::Program& program);

/// Whether the phase improves values in any order, as the program stands.
bool proves_improvement(const ir::Program& program, const ir::Uses& uses, const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
