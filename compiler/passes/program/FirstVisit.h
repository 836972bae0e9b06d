#pragma once
// Phases that visit each vertex once, when the first message arrives, and ask no message what it
// says: `update v when v.d == inf { v.d = step; send true; }`, `when !v.r { v.r = true; send 1; }`.
// Messages may then say what the visit writes, which is strict improvement, or reads the inbox, and
// there are proofs and engines for both.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// Rewrites the phase and the declaration of its message where the states stay the same in every
/// step; true where it did. That is where
///   - the phase runs once, nobody else writes the state or touches the message, and all vertices
///     begin with one literal in that state;
///   - the guard holds of that literal and of no value that the body assigns to it, `step` or
///     another literal, besides which it may write what reads no state; what else it asks holds
///     whenever a message has arrived, or is left out of what follows, as `step <= k` and
///     conditions on what the phase leaves alone;
///   - every message is a literal other than what an empty inbox holds, and no number of them
///     combines to that; so whoever is sent one is asked.
/// Then a vertex is active in the step in which the first message reaches it, or never. A message
/// that says the number of the step in which it arrives says the same along every edge of a step.
bool rewrite_first_visit(ir::Program& program, ir::Phase& phase);

}  // namespace vertigo::compiler::passes
