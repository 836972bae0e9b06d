#pragma once
// choose-transfer
//
// Does: lists the ways in which edges may get to the device, and decides for one. A plan is made
// without a graph, so what fits into memory is no argument here: what the runtime has a source of
// edges for is one, and what the program's phases read.
// Needs: nothing that another pass finds out.
// Guarantees: where the edges come in parts, no variant is listed that needs all of them at once,
// and no steps are fused.
// Why here: before list-variants, because it rules engines out.
// Source: HyTGraph section V.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_transfer(plan::Plan& plan, PassContext& context);

/// Why a variant cannot have all edges on the device at once, as the end of a sentence; "" where it
/// can, or nothing was decided.
/// Whether edges may come to the device in parts.
bool may_bring_parts(const plan::Plan& plan);

std::string problem_of_whole_graph(const plan::Plan& plan);

}  // namespace vertigo::compiler::passes
