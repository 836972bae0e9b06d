#pragma once
// arrange-host
//
// Does: says what the class that owns a program's buffers consists of: what is there whatever runs,
// what each variant needs besides, what is made of the graph before the runs and for whom, which
// variables and columns there are, in which order.
// Needs: what kernels take (list-arguments), the host level of build-kernels, the decision on
// preparation.
// Guarantees: a variant needs every buffer that its kernels, actions and engine use, each once, in
// the order of the plan.
// Why here: last; it sums up what all others left.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void arrange_host(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
