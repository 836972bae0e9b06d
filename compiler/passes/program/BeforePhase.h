#pragma once
// What is known of states and inboxes where a phase begins, whenever it runs.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// The literal that all vertices hold in a state; it belongs to the program. Null where vertices
/// may differ, or runs of the phase.
const ir::Expr* state_before(const ir::Program& program, const ir::Phase& phase,
                             const std::string& state);

/// Whether nothing that was sent before is left in the inboxes of a message.
bool empty_before(const ir::Program& program, const ir::Phase& phase, const std::string& message);

}  // namespace vertigo::compiler::passes
