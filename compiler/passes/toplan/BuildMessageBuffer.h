#pragma once
// A synchronous push whose messages wait in slots of their own (Edge-Vertex section 4.2), where
// plan-layout decided layout=message-buffer. In place of the send kernel of BuildSynchronous.h:
//
// write    all vertices follow their edges; active ones write their message into the edge's slot,
//          the others the identity, so that no slot keeps the message of an earlier step. A slot is
//          one edge's, so it has one writer: no atomics.
// combine  one thread folds what waits in the slots of its receiver, in the order of the edges,
//          into the inbox. It runs after `write`, and owns the receiver: no atomics, and floating
//          sums are the same bits every time.

#include <functional>
#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Whether plan-layout decided for slots.
bool has_message_buffer(const plan::Plan& plan);
/// Whether a variant can use them: all its senders write in every step.
bool is_buffered(const plan::Variant& variant);

/// `all_active`: there are no marks of active vertices.
plan::Kernel write_messages(PhaseKernels& kernels, bool all_active);
/// What follows a change of a receiver's inbox by `message`; the local `total` has what it holds.
using OnChange =
    std::function<void(plan::Block&, const std::string& message, const std::string& receiver,
                       const std::string& total, LocalNames& names)>;
plan::Kernel combine_messages(PhaseKernels& kernels, const OnChange& on_change);

}  // namespace vertigo::compiler::toplan
