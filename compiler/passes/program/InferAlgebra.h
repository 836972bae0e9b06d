#pragma once
// infer-algebra
//
// Does: proves, per phase, what must hold before any schedule but the synchronous one may be used
// (docs/semantics.md, rule 5), and names each proof obligation that held or failed. Adds the facts
// listed below.
// Needs: verified Program IR; derive-requirements before it, because the sign of weights is an
// argument of monotonicity.
// Guarantees: `order` is "free" only where every order of activations reaches the same result (for
// floating sums: within the threshold of the guard).
// Why here: every decision of passes/toplan reads these facts.
//
// Facts of a phase:
//   - order: free | asserted | step-ordered;
//   - form: improvement | accumulation | none: which of the rules (a), (b) was proved;
//   - obligation.NAME: held | failed, for NAME combine, guard, state, sends, exactness, steps,
//     messages, and inboxes where a message is kept;
//   - idempotent, monotone, uniform_cost, label_propagation: true | false;
//   - linear: yes | affine | no: coefficient * inbox, with a constant term, neither;
//   - cycles: over-negative-weights | any: values may improve round a cycle, for ever (else
//     missing);
//   - kind: iterative | traversal;
//   - state_of_inbox.M: the state that inbox M is assigned to (or accumulated in); "a, b" for a
//     tuple;
//   - linear.coefficient.I, payload.I, payload.I.condition: expressions for send I, in source
//     order, as IR text over the phase's vertex: the factor of the inbox; the sent value (and the
//     condition of sending) as a function of the vertex's state alone;
//   - payload: available | unavailable: may a pull read the neighbours' states?
//   - reached: IR text: holds for a vertex that was active at least once (improvement only);
//   - threshold: IR text: what the inbox is compared with (accumulation only);
//   - signs: non-negative | unknown: may something below zero be sent? (accumulation only);
//   - difference: rounding | bounded | by-graph: what two results differ by (accumulation only);
//   - guard_at_identity, guard_after_activation: false: the guard cannot hold on an empty inbox (at
//     any time; right after an activation); unknown: it may.

#include "compiler/ir/program/Uses.h"

namespace vertigo::compiler::passes {

struct PassContext;

void infer_algebra(ir::Program& program, PassContext& context);

/// The same for a program that another pass makes of a part of this one.
void infer_algebra(ir::Program& program);

/// Whether the phase would have the form "improvement", as the program stands. Its facts are left
/// as before.
bool proves_improvement(const ir::Program& program, const ir::Uses& uses, ir::Phase& phase);

}  // namespace vertigo::compiler::passes
