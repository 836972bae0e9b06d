#pragma once
// Rounds that search: in each, those vertices are reached that have a neighbour which was reached
// in the round before. Where a round writes nothing but what follows from that, all its states are
// functions of one, the round in which a vertex was reached, which a round relaxes:
// `t_v := min(t_v, min over neighbours of t_u + 1)`.

#include <string>

#include "compiler/ir/program/Program.h"
#include "compiler/passes/program/RelaxationPhase.h"
#include "compiler/passes/program/RelaxationRound.h"
#include "compiler/passes/program/RoundLimit.h"

namespace vertigo::compiler::passes {

struct SearchRounds {
  bool is_search = false;  ///< or almost one, of which there is something to say
  RelaxationRound round;   ///< the same round, in terms of `state`
  std::string state;       ///< the number by which a vertex was reached; inf: it was not
  bool is_new = false;     ///< the program does not declare it
  ir::ExprPtr beginning;   ///< what it holds before the first round, over `kOwn`
};

/// What a search is asked for.
struct SearchSurroundings {
  const ir::Program& program;
  const RelaxationRound& round;
  const BeginningOf& beginning_of;
  VariableAtBegin variable_at_begin;
};

/// "", or what is in the way. A new state is left to be declared.
///
/// Obligations, each of which `problem`s name:
///   - start: all states that rounds read of a vertex begin with one of two values that the program
///     shows, by one condition, which chooses whom the search starts with;
///   - reached: a vertex that was not reached is reached in a round where a neighbour asks for it,
///     `any(front(u) && c)`, and its own condition holds; c and the condition read nothing that the
///     rounds change. What its states hold then is a literal or the number of the round plus k;
///   - front: front(u) does not hold of those that were not reached, and holds of those that were
///     reached last; it may hold of others, whose neighbours were all asked before;
///   - once: of a vertex that was reached, states stay as they are, or become what all of them hold
///     that were not reached last;
///   - the first values are what a vertex would be given that was reached a round before the first.
/// By induction over rounds, a vertex is reached in round k if and only if the shortest way to it
/// over edges with c, through vertices with their condition, has k + 1 edges.
std::string find_search(const SearchSurroundings& around, SearchRounds& found);

}  // namespace vertigo::compiler::passes
