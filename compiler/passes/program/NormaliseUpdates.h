#pragma once
// normalise-updates
//
// Does: writes updates in one of their many spellings. Calls of the program's functions become
// their bodies, and names for what arrived what they stand for. A condition around the body is the
// guard's, and sends do not ask whether they improve the receiver (BodyGuards.h). Where a guard has
// found the inbox to be less (greater) than a state, the rest of the guard and the body no longer
// ask: `best < v.d && best != inf` is `best < v.d`, and `min(best, v.d)` is `best`. A guard that
// asks who was reached yet becomes strict improvement where the first message is the best one
// (FirstArrival.h). Where messages are all worth the same, they say the step in which they arrive,
// or what the visit writes (FirstVisit.h), and so they do where what they say repeats from level to
// level (RepeatingMessages.h). A message that says the level beside another one is `step`
// (LevelMessages.h), and one that says its sender says the level, too (TellLevels.h). What a search
// writes besides, or keeps apart of a tuple, is written after it (LaterWrites.h). What one
// neighbour may settle is asked by `any` (FirstWitness.h). What a loop repeats until it changes
// nothing has the loop's condition for a guard (LoopGuards.h). Needs: folded Program IR.
// Guarantees: the same values, evaluated no more often where that takes more than a few operations.
// Why here: before the proofs, and in the program itself, so that engines and kernels are built of
// what was proved.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void normalise_updates(ir::Program& program, PassContext& context);

}  // namespace vertigo::compiler::passes
