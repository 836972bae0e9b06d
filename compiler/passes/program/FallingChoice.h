#pragma once
// Which edges `common_neighbours(u, v where …)` asks for when an update of edges runs again and
// again. If the condition, once false of an edge, is false for good, then counts only fall, and
// they fall by the triangles of the edges that it has become false of.

#include <set>
#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct FallingChoice {
  bool is_asked = false;         ///< some update of edges that runs again asks for chosen edges
  ir::ExprPtr condition;         ///< what it asks of them, where it only falls; else null
  std::set<std::string> states;  ///< edge states that the condition reads
  std::string reason;            ///< why it only falls, or what is in the way
};

/// Of the first condition that only falls. The proof is by what every phase assigns to the edge
/// states that the condition reads: where a conjunct is false, an assignment must not stand, or
/// leave it false.
FallingChoice find_falling_choice(const ir::Program& program);

/// Whether the update assigns an edge state that the condition reads.
bool changes_choice(const FallingChoice& choice, const ir::Phase& phase);

/// Whether `expr` counts the chosen neighbours that both ends of the edge at hand have.
/// `own`, `other`: the program's names of the ends.
bool counts_chosen(const FallingChoice& choice, const ir::Expr& expr, const std::string& own,
                   const std::string& other);

/// Whether the condition holds of every edge that `where` holds of: each of its conjuncts is one
/// of those.
bool implies_choice(const FallingChoice& choice, const ir::Expr& where);

/// Whether the phase asks chosen neighbours of anything but edges of which numbers are kept: then
/// it goes through lists, and reads the states of other edges.
bool asks_lists(const FallingChoice& choice, const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
