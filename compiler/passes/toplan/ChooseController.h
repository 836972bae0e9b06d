#pragma once
// choose-controller
//
// Does: decides per phase what picks the variant while the phase runs.
// Needs: the variants of list-variants; the activity of infer-algebra.
// Guarantees: the controller only ever picks among listed variants.
// Why here: it picks among the variants, so it comes after them.
// Source: SEP-Graph Alg. 1 and 2.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_controller(plan::Plan& plan, PassContext& context);

/// The variants that a controller may change between, in the order of SEP-Graph's sections 3.2 and
/// 3.3: those of the paper's candidates that the phase has.
std::vector<std::string> paths_of(const plan::Plan& plan, const plan::PhasePlan& phase,
                                  ir::Activity activity);

}  // namespace vertigo::compiler::passes
