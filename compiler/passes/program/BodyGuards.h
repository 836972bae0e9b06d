#pragma once
// Conditions that stand elsewhere and say what a guard says: around the whole body, as in `update v
// when m != inf { if m < v.d { … } }`, and at a send to those whom it improves, as in `send m + w
// to u where m + w < u.d`.

#include <functional>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// Moves the one condition around the body of a phase that everybody with a message enters into its
/// guard, if `is_search` then finds a search in the phase, which it may rewrite; true where it did.
/// A vertex then keeps a message for which the condition does not hold, where it took it and did
/// nothing. In a search that makes no difference: what is kept is no better than what the vertex
/// has, and improves no later message; or the vertex was visited, and is never asked for good. It
/// is done of one message, not kept, under min, max, or of bool under or, and.
bool guard_by_body(const ir::Program& program, ir::Phase& phase,
                   const std::function<bool()>& is_search);

/// Whether the guard alone, of that message, is proved to improve a state.
bool improves(const ir::Program& program, const ir::Phase& phase);

/// Sends no longer ask whether they improve the receiver, where the guard asks that of every
/// message and the state improves alone: what does not improve it activates nobody, now or later.
void leave_out_improvements(const ir::Program& program, ir::Phase& phase);

}  // namespace vertigo::compiler::passes
