#pragma once
// choose-transfer
//
// Does: decides how the graph gets to the device.
// Needs: nothing of the program; sizes are known at load.
// Guarantees: a graph that does not fit is refused, never computed wrongly.
// Why here: after the layout, whose arrays it moves.
// Source: HyTGraph section V.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_transfer(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
