#pragma once
// Synchronous variants: all active vertices take their inboxes, then all their messages are
// delivered (docs/semantics.md, rule 4). Two kernels a step, so that no message is seen in the step
// that sent it:
//
// activate  asks the guard, takes the inboxes, runs the body. Nobody sends meanwhile and every
//           vertex is looked at by one thread (a worklist holds it once, because a bit is set when
//           it is appended), so inboxes and states are read and written plainly. What the sends
//           need and the states no longer tell is saved in payload buffers. Only marks of 64
//           vertices share a word, so they are changed atomically.
// send      (push) walks the edges of active vertices. Several may hit one receiver: its inbox is
//           combined into atomically, and the one whose bit was clear appends it. States are not
//           written in this kernel, so what is sent may be computed from them.
// gather    (pull) walks the in-edges of receivers and folds the messages of active neighbours in a
//           local. One thread owns one receiver, and no kernel runs beside it: no atomics. States
//           are read only, as above.
//
// data-driven: activate runs over worklist `asked` and fills `active`; send runs over `active` and
// fills `asked`. A data-driven pull first marks the neighbours of active vertices as candidates.
// topology-driven: both kernels look at all vertices; bits tell who is active. A flag, raised
// whenever an inbox changed, says whether another step is needed: as nothing that a guard reads has
// changed otherwise, no raised flag means no active vertex.
//
// A sweep is one such step whose activate kernel looks at all vertices.

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Fills `prepare`, `step`, `pending` and `deterministic` of the variant.
void build_synchronous(PhaseKernels& kernels, plan::Variant& variant);

}  // namespace vertigo::compiler::toplan
