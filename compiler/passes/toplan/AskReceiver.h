#pragma once
// Where a message arrives, its receiver can be asked at once. Whom no message moves any more needs
// none. Whose guard does not hold now is not asked in the next step: lists are shorter, and a phase
// ends without a step in which nobody is active.

#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Whether a guard takes no more time than a few reads, and says the same between two steps as in
/// the next one: nothing of neighbours, of `step`, of chance, or of a header.
bool is_cheap_to_ask(const ir::Expr& guard);

/// Of an operator after which an inbox is seldom what it was. The others look at the inbox first,
/// and mostly that is all.
bool always_changes(ir::Combine combine);

/// In `block`, between steps: the block that runs where messages may still move `u`; `block` itself
/// where that may be anyone.
plan::Block& where_messages_count(PhaseKernels& kernels, plan::Block& block, const std::string& u,
                                  LocalNames& names);

/// In `block`, which runs where `message` changed the inbox of `u`: the block that runs where
/// `guard` holds of u's states, which nobody writes meanwhile, and `inbox`, what is there now.
/// Others may combine into the same inbox at the same time, as long as each asks after it did: the
/// last of them sees what all of them sent. `block` itself where only the next step can tell, or
/// where to ask takes longer than it saves. `guard`: the phase's, or what is left of it to ask;
/// null: nothing.
plan::Block& where_guard_holds(PhaseKernels& kernels, plan::Block& block,
                               const std::string& message, const ir::Expr* guard,
                               const std::string& u, ir::ExprPtr inbox, LocalNames& names);

}  // namespace vertigo::compiler::toplan
