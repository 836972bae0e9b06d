#pragma once
// Whether whoever is active sends something, known before its body has run.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::toplan {

/// Whether no vertex that is active sends the identity: the phase sends once, either a value that
/// is none whatever the inbox holds, or a function of the inbox that is none if the inbox is, where
/// starts put none into it.
bool always_sends(const ir::Program& program, const ir::Phase& phase, const ir::Message& message);

}  // namespace vertigo::compiler::toplan
