#pragma once
// number-edges
//
// Does: has what updates ask of the ends of an edge, `common_neighbours(u, v)` or a sum of values
// of common neighbours, found once for all edges, as a state of edges that an update of its own
// keeps; who asked reads it. Numbers of neighbours are found before the first update that reads
// them, sums of what a program may change before each. A fact of the phase says so, or why it goes
// on comparing lists. `--schedule common=lists` has all compare lists.
// Needs: calls written out.
// Guarantees: the same values, floating sums up to the order of their terms. A program is left
// alone where engine wedges adds everything up without a number for every edge.
// Why here: behind normalise-updates, which writes calls out; before infer-algebra, which looks at
// all phases. What it makes is an update like any other, for which there is an engine.

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

struct PassContext;

void number_edges(ir::Program& program, PassContext& context);

}  // namespace vertigo::compiler::passes
