#pragma once
// choose-activation
//
// Does: decides per phase who is asked in a step: the vertices on a worklist (data-driven) or all
// of them (topology-driven).
// Needs: the activity that infer-algebra found.
// Guarantees: both are legal for fixpoints; an update of all vertices that sends nothing has no
// list to keep.
// Why here: independent of the choices before it; list-variants needs all three.
// Source: SEP-Graph section 3.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_activation(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
