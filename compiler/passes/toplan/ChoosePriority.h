#pragma once
// choose-priority
//
// Does: decides per phase which active vertices go first.
// Needs: the facts `order` and `form`.
// Guarantees: a priority is never offered to a step-ordered phase.
// Why here: after order-paths, whose order it would refine.
// Source: SEP-Graph section 4.4.3; HyTGraph section VI.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_priority(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
