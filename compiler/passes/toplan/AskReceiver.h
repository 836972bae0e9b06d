#pragma once
// Where a message arrives, its receiver can be asked at once whether its guard holds now. Who would
// say no then is not asked in the next step: lists are shorter, and a phase ends without a step in
// which nobody is active.

#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Whether a guard takes no more time than a few reads, and says the same between two steps as in
/// the next one: nothing of neighbours, of `step`, of chance, or of a header.
bool is_cheap_to_ask(const ir::Expr& guard);

/// In `block`, which runs where `message` changed the inbox of `u`: the block that runs where the
/// guard holds of u's states, which nobody writes meanwhile, and `inbox`, what is there now. Others
/// may combine into the same inbox at the same time, as long as each asks after it did: the last of
/// them sees what all of them sent. `block` itself where only the next step can tell, or where to
/// ask takes longer than it saves.
plan::Block& where_guard_holds(PhaseKernels& kernels, plan::Block& block,
                               const std::string& message, const std::string& u, ir::ExprPtr inbox,
                               LocalNames& names);

}  // namespace vertigo::compiler::toplan
