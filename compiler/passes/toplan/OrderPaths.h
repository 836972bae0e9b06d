#pragma once
// order-paths
//
// Does: decides per phase in which order vertices are processed: by vertex, or along paths
// between hubs.
// Needs: the order that infer-algebra proved.
// Guarantees: path order is never offered to a step-ordered phase.
// Why here: it refines the asynchronous variants and leaves their list alone.
// Source: AsynGraph sections 3 and 4.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void order_paths(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
