#pragma once
// Searches that write more than what they search for: `v.depth = m; v.seen = true; send m + 1;`,
// `v.depth = m.0; v.parent = m.1;`, or whose guard asks for a mark: `update v when v.depth == -1 {
// v.depth = m; send m + 1; }`. The phase is left with the search, and a sweep after it writes the
// rest of those that were reached, as the value that a vertex ends with tells what its last
// activation saw.

#include "compiler/passes/program/PlainSearch.h"

namespace vertigo::compiler::passes {

/// Leaves phase number `which` with that search, which was found in it, and adds the sweep.
void take_plain_search(ir::Program& program, const SearchFacts& facts, std::size_t which,
                       PlainSearch search);

/// Rewrites phase number `which` and adds the sweep where there is a plain search in it; true where
/// it did. `facts`: of the program before any sweep was added.
bool write_later(ir::Program& program, const SearchFacts& facts, std::size_t which);

}  // namespace vertigo::compiler::passes
