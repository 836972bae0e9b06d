#pragma once
// Sends of kernels in which a vertex runs and sends in one go: asynchronous pushes, and colour
// classes.

#include <functional>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// One loop over the edges of `v`, which combines into the inboxes of the receivers, atomically,
/// because a receiver has other senders. What depends on `v` alone is computed in front of it.
/// `on_change(block, u)`: what happens where that changed the inbox of `u`.
void send_at_once(PhaseKernels& kernels, const ir::Stmt& send, ExprLowering& lowering,
                  plan::Block& block, const std::string& v,
                  const std::function<void(plan::Block&, const std::string&)>& on_change);

}  // namespace vertigo::compiler::toplan
