#pragma once
// place-buffers
//
// Does: says of each buffer that holds one value for each vertex what of it a part of the graph
// needs, if parts run apart: its own vertices' values, a copy of all, or the one array.
// Needs: kernels as build-kernels has spelled them.
// Guarantees: no kernel touches more than the placement allows; the verifier asks again. A graph
// that lies on one device as a whole, as all do so far, has every buffer whole, whatever stands
// here.
// Why here: after list-arguments, with bodies as they will be printed.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void place_buffers(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
