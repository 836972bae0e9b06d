#pragma once
// Updates that come to nothing for good. An update that chooses among those neighbours for which a
// condition lasts finds fewer in every round; where it finds none, it will find none in any later
// round, and need not look again.

#include <optional>
#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct SettledState {
  std::string state;  ///< all that the update assigns
  ir::ExprPtr none;   ///< what it is where no neighbour is left, from then on for good
};

/// Of an update whose whole condition lasts (ShrinkingDomain.h), and whose whole body is
/// `v.state = reduction over neighbours where …`: a smallest neighbour, whether there is one, or
/// how many. Each conjunct of the `where` lasts at the neighbour, or never changes, and nobody else
/// assigns the state.
std::optional<SettledState> find_settled_state(const ir::Program& program, const ir::Phase& phase);

/// Whether `condition`, of vertex `variable`, cannot hold where the state is settled: one of its
/// conjuncts asks for something else.
bool is_false_where_settled(const ir::Program& program, const ir::Expr& condition,
                            const std::string& variable, const SettledState& settled);

}  // namespace vertigo::compiler::passes
