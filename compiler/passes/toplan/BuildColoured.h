#pragma once
// Coloured variants: the vertices of one colour class after the other, in one kernel each (Frog,
// section 3; docs/semantics.md, rule 10).
//
// Every result is one of vertices that run one after the other. No two vertices of a class share an
// edge. So while a class runs, nobody writes what a vertex of it reads: its own states and its own
// inbox (only neighbours send there), and its neighbours' states (only they write them). What two
// vertices of a class both change are inboxes of neighbours that they have in common, and messages
// are combined by a commutative, associative operator, atomically. So each order of the vertices of
// a class gives what running them together gives, and classes follow each other.

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

void build_coloured(PhaseKernels& kernels, plan::Variant& variant);

}  // namespace vertigo::compiler::toplan
