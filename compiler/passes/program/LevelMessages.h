#pragma once
// Searches that say the level beside something else: `update v when hop < v.depth { v.depth = hop;
// v.paths = count; send hop + 1 into hop; send count into count; }`. The level is `step`, and one
// message is left, for which there are engines.

#include "compiler/ir/program/Beginnings.h"

namespace vertigo::compiler::passes {

/// Leaves out the message that says the level, where the states stay the same in every step; true
/// where it did. That is where
///   - inboxes are empty when the phase begins, all starts put 0 into it, and all that is sent is
///     the inbox plus 1, under min;
///   - the guard asks whether the vertex was visited: it holds of the literals that the written
///     states begin with, and of nothing that a visit gives them. What else it asks does not
///     change, or holds wherever a message has arrived;
///   - whoever is sent a level is sent another message, which does not combine to an empty inbox,
///     so that the same vertices are asked.
/// Then a vertex is active once, in the step in which its first messages arrive, and all of these
/// say the number of the step.
bool leave_out_levels(const ir::Program& program, const ir::Beginnings& beginnings,
                      ir::Phase& phase);

}  // namespace vertigo::compiler::passes
