#pragma once
// choose-delivery
//
// Does: decides for an update that pushes messages whether they leave where its body sends them, or
// in a kernel of their own behind that of the body.
// Needs: the legal variants, which say whether senders push.
// Guarantees: the same messages, of the same values: a body reads of others what was there before
// the step, whoever ran first.
// Why here: what is left of the variants is known; build-kernels makes the kernels.

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::passes {

struct PassContext;

void choose_delivery(plan::Plan& plan, PassContext& context);

/// Whether the messages of the update leave where its body sends them.
bool sends_at_once(const plan::Plan& plan, const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
