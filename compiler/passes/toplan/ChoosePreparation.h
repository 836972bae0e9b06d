#pragma once
// choose-preparation
//
// Does: decides whether a variant may be chosen that makes something of the graph first. `auto`
// leaves it to the run, which knows the graph and the number of runs; --prepare overrules all.
// Needs: the variants.
// Guarantees: results have the ids of the input whatever is chosen.
// Why here: last: it pays only for what the choices before it leave.
// Source: HyTGraph section VI.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_preparation(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
