#pragma once
// list-variants
//
// Does: crosses timing, direction and activation into the variants of each phase that are legal,
// and marks the preferred one.
// Needs: the decisions of choose-consistency, choose-direction and choose-activation.
// Guarantees: every variant listed gives the result of the program; a pin leaves only the
// variants that it permits.
// Why here: its axes are the three choices before it; build-kernels spells out what it lists.
// Source: SEP-Graph section 3 (the eight combinations).

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void list_variants(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
