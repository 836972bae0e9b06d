#pragma once
// choose-senders
//
// Does: decides for an update that reduces over neighbours, or gathers what they send, whether what
// it reads of them is computed once a vertex, into an array, or once an edge, where it is read.
// Needs: the preferred variants, which say whether messages are gathered.
// Guarantees: every value is the one that an edge would have computed, so that results are the same
// bit by bit. What also depends on the reader or on the edge stays where it is.
// Why here: what is left of the variants is known; build-kernels makes the arrays and fills them.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_senders(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
