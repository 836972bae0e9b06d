#pragma once
// choose-schedules
//
// Does: keeps the variants of a phase that a run comes to by itself: the preferred one, the paths
// that its controller changes between, and what stands in for it where memory, weights, values,
// edges without a reverse or --deterministic rule it out. With schedules=all every legal variant
// stays. Needs: the variants of list-variants and their paths from choose-controller. Guarantees:
// whichever variant runtime/src/execute/choose_variant.cpp or runtime/src/host/lawful.cpp takes
// where nothing is pinned, it is kept. Why here: what follows decides and builds for the variants
// that are listed.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_schedules(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
