#pragma once
// wavefront
//
// Runs: a phase in which each vertex is active at most once, in the step after its first message,
// in one launch that pushes from the front or pulls to the vertices that wait, whichever is
// cheaper. Legal: the guard is a condition on the vertex's own states, and no longer holds on the
// states as the body leaves them; the phase runs once and has its message to itself. Then a vertex
// that waits has an empty inbox, so that its messages are exactly those of the step before, from
// whichever side they are looked at; what reaches a vertex later is never read.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::toplan {

/// Why a vertex may be active more than once; "" where it is proved that it is not.
std::string may_activate_again(const ir::Program& program, const ir::Phase& phase);

}  // namespace vertigo::compiler::toplan
