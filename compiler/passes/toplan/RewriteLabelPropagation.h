#pragma once
// rewrite-label-propagation
//
// Does: decides whether a phase that propagates labels runs as it says or by hooking and
// compression.
// Needs: whether infer-algebra found label propagation.
// Guarantees: only a proved label propagation is ever rewritten.
// Why here: first: a phase that becomes union-find has no schedule to choose.
// Source: Afforest; ECL-CC.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void rewrite_label_propagation(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
