#pragma once
// What a phase leaves in inboxes when it ends, and who could find it there. A phase `update … when`
// empties what it reads, unless the message is kept: what was sent but not taken depends on the
// order of activations.

#include <string>

#include "compiler/ir/program/Uses.h"

namespace vertigo::compiler::passes {

/// True where the phase leaves nothing in the inboxes of `message` once no vertex is active: it
/// alone has to do with the message, and its guard holds wherever an inbox is not empty.
bool takes_all(const ir::Program& program, const ir::Phase& phase, const ir::Uses& uses,
               const std::string& message);

}  // namespace vertigo::compiler::passes
