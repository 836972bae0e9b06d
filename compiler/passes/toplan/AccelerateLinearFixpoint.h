#pragma once
// accelerate-linear-fixpoint
//
// Does: decides by which iteration a proved linear fixed point is solved.
// Needs: the form that infer-algebra proved.
// Guarantees: only a proved linear fixed point is ever accelerated.
// Why here: another iteration would have other messages to schedule.
// Source: Jacobi, Gauss-Seidel, Chebyshev.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void accelerate_linear_fixpoint(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
