#pragma once
// choose-priority
//
// Does: decides per phase which active vertices go first, and how wide the window of values is that
// are worked on together.
// Needs: the order and form that infer-algebra proved.
// Guarantees: a priority is never offered to a step-ordered phase; `delta` is recorded where the
// priority has a window.
// Why here: before list-variants, because an engine is what works in windows.
// Source: SEP-Graph section 4.4.3; HyTGraph section VI.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_priority(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
