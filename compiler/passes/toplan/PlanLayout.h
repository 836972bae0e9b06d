#pragma once
// plan-layout
//
// Does: decides how states, inboxes and edges lie in memory.
// Needs: the variants.
// Guarantees: offsets of edges have 64 bits, so no graph that fits memory overflows them.
// Why here: the variants say in which directions edges are read.
// Source: Edge-Vertex section 4.2.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void plan_layout(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
