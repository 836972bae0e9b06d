#pragma once
// Searches whose messages say the same at all vertices of a level, and repeat after a few levels:
// `update v when v.side < 0 { v.side = side; send 1 - side; }`. Their messages may count the levels
// instead, and a vertex knows by the level what it was told: `level % 2 == 0 ? 0 : 1`. For counted
// levels there are proofs and engines (LaterWrites.h).

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct SearchFacts;

/// Rewrites the phase and the declaration of its message where the states stay the same in every
/// step; true where it did. That is where
///   - nobody else touches the message, inboxes are empty when the phase begins, and all starts put
///     one literal into them;
///   - all that is sent is one function of the inbox, whose values, computed from that literal on,
///     repeat within a few levels, and equal ones combine to themselves;
///   - the guard asks whether the vertex was visited: it holds of the literals that the written
///     states begin with, and of none of the values that a visit may give them. What else it asks
///     does not change.
/// Then a vertex is active once, and all that are active in one step have been told the same. A
/// phase that is proved to improve a state stays as it is.
bool rewrite_repeating_messages(ir::Program& program, const SearchFacts& facts, ir::Phase& phase);

}  // namespace vertigo::compiler::passes
