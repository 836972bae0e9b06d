#pragma once
// choose-preparation
//
// Does: decides what is done to the graph before the run: nothing, or an order by degree or
// weight.
// Needs: nothing of the program; the number of runs is known at load.
// Guarantees: results have the ids of the input whatever is chosen.
// Why here: last: it pays only for what the choices before it leave.
// Source: HyTGraph section VI.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_preparation(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
