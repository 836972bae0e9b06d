#pragma once
// States and variables that a rewriting has left without a reader.

#include <set>
#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// Takes away those of `states` that nobody reads or writes and that are no output, and those of
/// `variables` that nobody reads, with all that is assigned to them.
void remove_unread(ir::Program& program, const std::set<std::string>& states,
                   const std::set<std::string>& variables);

}  // namespace vertigo::compiler::passes
