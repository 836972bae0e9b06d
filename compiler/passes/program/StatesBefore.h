#pragma once
// What is known of a state where a phase begins: the literal that all vertices hold, whenever the
// phase runs.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// That literal, which belongs to the program; null where vertices may differ, or runs of the
/// phase.
const ir::Expr* state_before(const ir::Program& program, const ir::Phase& phase,
                             const std::string& state);

}  // namespace vertigo::compiler::passes
