#pragma once
// list-arguments
//
// Does: says of every kernel what it takes, in which order.
// Needs: kernels and buffers.
// Guarantees: a kernel takes exactly what it uses.
// Why here: place-barriers and arrange-host put together what kernels take.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void list_arguments(plan::Plan& plan, PassContext& context);

}  // namespace vertigo::compiler::passes
