#pragma once
// Asynchronous variants of order-free phases: messages are delivered at once (docs/semantics.md,
// rule 4), by one kernel.
//
// Push (relax). A vertex reads its inbox, and if its guard holds takes it, runs the body and
// combines into its neighbours' inboxes, all while others do the same.
//   States: only the thread that holds v in its list writes or reads v's states; v stands in the
//   list once, because a bit is set when it is appended.
//   Inboxes: every access is one atomic operation. With keep, the inbox is read (relaxed) and not
//   reset; what arrives after the read changed the inbox, and its sender queues v for the next
//   round. Without keep, the exchange takes everything that arrived so far; what arrives later
//   changed the inbox again, and again its sender queues v.
//   Marks: receivers clear bits of the list that is being read, senders set bits of the list that
//   is being written. These are two bitmaps that swap with the lists, so clearing a bit can never
//   hide a message that its reader has not seen, and no fence stands between the two. Between
//   reading and taking more messages may arrive. The guard held on what was read; for min/max the
//   taken value is better still, for linear sums any amount may be taken (the result is the same
//   sum). Where order-freedom was only asserted, the guard is asked again about what was taken, and
//   what does not satisfy it is put back.
//
// Pull. A vertex folds what its in-neighbours' *states* say they have sent:
//   min/max: the state that an inbox was assigned to is that inbox. A neighbour whose state is
//   still the initial one was never active (activation improves strictly) and has sent nothing.
//   linear sums: start + sum of coefficient * growth of the neighbours' states - own growth is what
//   waits in the inbox.
//   The inbox holds what the starts put in and is never written. Neighbours' states are read and
//   own states written relaxed; a read that is too old is repaired, because whoever writes a state
//   asks its receivers again: in the next round of a worklist, or by the flag. Kernel boundaries
//   order those. Sums end because a vertex whose state did not change asks nobody.

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

void build_asynchronous_push(PhaseKernels& kernels, plan::Variant& variant);

/// Returns why the phase cannot be pulled from states, or "".
std::string build_asynchronous_pull(PhaseKernels& kernels, plan::Variant& variant);

// Both in colour classes (BuildColoured.h), as kernels over the parts or the rest of `classes`.
// `variant` is the coloured one.

/// An asynchronous push of the rest: its vertices may be neighbours.
plan::Kernel push_from_rest(PhaseKernels& kernels, plan::Variant& variant,
                            const std::string& classes);
/// A pull of a class, whose neighbours rest, so that nothing in it is atomic or relaxed; or an
/// asynchronous pull of the rest. `problem` says why states cannot be pulled, or "".
plan::Kernel pull_in_classes(PhaseKernels& kernels, plan::Variant& variant, plan::Domain domain,
                             const std::string& classes, std::string& problem);

}  // namespace vertigo::compiler::toplan
