#pragma once
// Searches that do more than search: they write other states, too, or ask in other words for a
// vertex that they have not met. What is left when that is taken away is a plain search: `update v
// when m < v.d { v.d = m; send …; }`.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/program/Beginnings.h"
#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

/// What is asked of the program for every phase, and looked up once.
struct SearchFacts {
  explicit SearchFacts(const ir::Program& program) : uses(program), beginnings(program) {}
  ir::Uses uses;
  ir::Beginnings beginnings;
};

struct PlainSearch {
  const ir::Message* message = nullptr;
  std::string target;  ///< the state that takes the inbox; "": one that is still to be declared
  ir::ExprPtr before;  ///< what all vertices begin with in that state
  ir::ExprPtr guard;   ///< what is asked, perhaps besides the improvement of the target; null: none
  std::vector<SymbolicSend> sends;
  /// What the phase writes besides: states, and functions of the last inbox that was taken.
  std::vector<std::pair<std::string, ir::ExprPtr>> later;
};

/// The search in `phase` where it is not plain already. That is where inboxes are empty and all
/// vertices begin with one known value whenever it runs, nothing of the search reads what is
/// written later, and one of these holds:
///   - it is proved to improve a state, and whatever else it writes is a function of the inbox and
///     of what the phase leaves alone; or states that keep the elements of a tuple, which get one
///     state for all of them;
///   - it visits each vertex once: one number is put into all inboxes, every message is the inbox
///     plus one positive constant under min, and the guard asks for a vertex that was not visited.
///     `step` is then how far the inbox is from the start, what is written may read what the vertex
///     held before, and receivers that were visited need not be left out. Of tuples, all this is
///     asked of the first elements: the messages of a step are alike in them, and a visit takes the
///     least. Where no state holds the inbox and begins with inf, the search gets a state of its
///     own.
std::optional<PlainSearch> find_plain_search(const ir::Program& program, const SearchFacts& facts,
                                             const ir::Phase& phase);

}  // namespace vertigo::compiler::passes
