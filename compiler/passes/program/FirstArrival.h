#pragma once
// Guards that ask whether a vertex has been reached: `v.d == inf && m != inf`, or `v.d == inf`
// alone, where every start says a number. Where all messages of a step have the same value, and no
// later one is better, the first message is the best one, and the guard is strict improvement: `m <
// v.d`, for which there are proofs and engines.

#include "compiler/ir/program/Beginnings.h"

namespace vertigo::compiler::passes {

/// The guard `m < v.d` where it activates the same vertices in the same steps as the phase's guard;
/// else null. The phase is such a search where it
///   - runs once, step by step, nobody else writes the state, and inboxes, which min combines, are
///     empty when it begins;
///   - begins with one value in all inboxes that it fills, and with inf in all states;
///   - takes the inbox first of all and then sends it, or it plus one positive constant.
/// Then an activation in step k takes the same value at all vertices, because each vertex takes
/// the first message that arrives in the step in which it arrives, and whoever has taken one is
/// never sent anything better.
ir::ExprPtr guard_by_improvement(const ir::Program& program, const ir::Beginnings& beginnings,
                                 const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
