#pragma once
// Searches that write more than what they search for: `v.depth = m; v.seen = true; send m + 1;`,
// or whose guard asks for a mark: `update v when v.depth == -1 { v.depth = m; send m + 1; }`.
// The phase is left with the search, and a sweep after it writes the rest of those that were
// reached, as the value that a vertex ends with tells what its last activation saw.

#include "compiler/ir/program/Beginnings.h"
#include "compiler/ir/program/Uses.h"

namespace vertigo::compiler::passes {

/// What is asked of the program for every phase, and looked up once.
struct SearchFacts {
  explicit SearchFacts(const ir::Program& program) : uses(program), beginnings(program) {}
  ir::Uses uses;
  ir::Beginnings beginnings;
};

/// Rewrites phase number `which` and adds the sweep; true where it did. `facts`: of the program
/// before any sweep was added. That is where inboxes are empty and all vertices begin with one
/// known value whenever it runs, nothing of the search reads what is written later, and one of
/// these holds:
///   - it is proved to improve a state, and whatever else it writes is a function of the inbox and
///     of what the phase leaves alone;
///   - it visits each vertex once: one number is put into all inboxes, every message is the inbox
///     plus one positive constant under min, and the guard asks for a vertex that was not visited.
///     `step` is then how far the inbox is from the start, what is written may read what the vertex
///     held before, and receivers that were visited need not be left out. Where no state holds the
///     inbox and begins with inf, the search gets a state of its own.
bool write_later(ir::Program& program, const SearchFacts& facts, std::size_t which);

}  // namespace vertigo::compiler::passes
