#pragma once
// Updates that a loop repeats until they change nothing: `while any(v.root != v.root.root) { update
// all v { v.root = v.root.root; } }`. The condition of the loop becomes the guard of the update:
// where it does not hold, the vertex would be assigned what it has.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// Adds such guards to the updates of all such loops.
void guard_by_loops(ir::Program& program);

}  // namespace vertigo::compiler::passes
