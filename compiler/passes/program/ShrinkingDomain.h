#pragma once
// Which vertices an update looks at when it runs again and again. A conjunct of its guard that is
// false for good, once it is false at a vertex, rules that vertex out for all rounds to come.

#include <string>

#include "compiler/ir/program/Program.h"
#include "compiler/ir/program/Uses.h"

namespace vertigo::compiler::passes {

struct ShrinkingDomain {
  ir::ExprPtr lasting;  ///< conjuncts that never hold again where they do not hold; null: none
  ir::ExprPtr rest;     ///< the other conjuncts; null: none
  std::string reason;   ///< why they last, or what is in the way of the first
};

/// Of the guard of `phase`, over the phase's vertex and with the program's functions inlined. The
/// proof is by what every phase of the program assigns: where a conjunct does not hold, an
/// assignment must not stand, or leave it false.
ShrinkingDomain find_shrinking_domain(const ir::Program& program, const ir::Phase& phase);

/// Why the condition, of the vertex of `phase`, may hold again where it did not; "" where it never
/// does.
std::string problem_of_lasting(const ir::Program& program, const ir::Phase& phase,
                               const ir::Expr& condition);

/// Whether the condition, of the vertex of `phase`, is false at every vertex that the update has
/// just changed.
bool ends_by_update(const ir::Program& program, const ir::Phase& phase, const ir::Expr& condition);

/// Whether `lasting` rules nobody out as far as the text shows: nothing that runs more than once
/// assigns what it reads, and it holds at a vertex of two neighbours whose states are the initial
/// ones.
bool rules_out_few(const ir::Program& program, const ir::Uses& uses, const ir::Expr& lasting);

/// Whether the domain of `phase` holds at every vertex `variable` where `condition` does: each of
/// its conjuncts is one of the condition's.
bool is_within(const ir::Program& program, const ir::Expr& condition, const std::string& variable,
               const ShrinkingDomain& domain, const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
