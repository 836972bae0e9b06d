#pragma once
// choose-balance
//
// Does: decides per phase how the edges of vertices are shared out among threads.
// Needs: nothing but the program.
// Guarantees: the choice changes time, never a result: ids stay what they are, and so does the
// order in which one vertex's edges are followed. Why here: it is a property of kernels,
// independent of the variants. Source: SEP-Graph section 4.4.1; Edge-Vertex section 4.1.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_balance(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
