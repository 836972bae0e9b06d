#pragma once
// order-paths
//
// Does: decides per phase in which order messages go along edges: vertex by vertex (an active
// vertex sends along all its edges), or along paths that were made of the graph before, those
// between hubs several times a step. With paths, the numbers that the hubs are found by may be
// pinned. Needs: the order that infer-algebra proved; how edges get to the device. Guarantees:
// paths are taken only where the order is free by proof, and only where the schedule asks for them;
// nothing else of the schedule then says who sends. Why here: after the choices that rule paths
// out, before the variants are listed. Source: AsynGraph, sections 3 and 4.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void order_paths(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
