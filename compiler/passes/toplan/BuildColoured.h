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
//
// Order-free phases run in few classes and a rest, in which there may be neighbours: its kernel is
// that of an asynchronous variant (BuildAsynchronous.h) for some of the vertices, and right for the
// same reasons. Between it and the kernels of classes a launch ends. A pull of a class needs no
// atomic operation at all: who runs writes its own states alone, and reads those of neighbours that
// rest. A push does: two vertices of a class may have a neighbour in common.

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// `colours`: how many classes stand before the rest, as the schedule says it; "": a class for
/// every colour, and no rest. Returns why the variant cannot be had, or "".
std::string build_coloured(PhaseKernels& kernels, plan::Variant& variant,
                           const std::string& colours);

}  // namespace vertigo::compiler::toplan
