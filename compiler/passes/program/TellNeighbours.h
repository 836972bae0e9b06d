#pragma once
// tell-neighbours
//
// Does: finds updates in loops that ask whether some neighbour is what it then stays, and that ask
// a vertex no more once one is: `update v where !v.decided && any(u.member over both u) {
// v.decided = true; }`. It has those who become so tell their neighbours once, by a message from
// where they become so. A fact of the phase says so, or why its vertices go on asking; `--schedule
// PHASE.asking=asked` has them do so.
// Needs: normalised updates. Guarantees: the same states after every update.
// Why here: what it makes are updates and a message like any others.
// Source: the direction of a search, S. Beamer, K. Asanovic and D. Patterson, Direction-optimizing
// breadth-first search, 2012: few who tell meet fewer edges than many who ask.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void tell_neighbours(ir::Program& program, PassContext& context);

}  // namespace vertigo::compiler::passes
