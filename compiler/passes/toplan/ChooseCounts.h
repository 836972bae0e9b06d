#pragma once
// choose-counts
//
// Does: decides where the numbers of common neighbours come from that updates of edges ask for
// again and again: kept for every edge and lowered when edges fall out of the choice, or counted
// anew each time.
// Needs: nothing but the program.
// Guarantees: counts are kept only of a choice of edges that is proved to only fall
// (passes/program/FallingChoice.h).
// Why here: before build-kernels, which reads it.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_counts(plan::Plan& plan, PassContext& context);

/// Whether it decided that counts are kept.
bool keeps_counts(const plan::Plan& plan);

}  // namespace vertigo::compiler::passes
