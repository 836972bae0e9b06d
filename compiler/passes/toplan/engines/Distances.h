#pragma once
// The engine `distances`: an improving phase whose messages depend on the weights of edges, worked
// on in the order of its values. Lists sorted by weight let a vertex stop at the first edge that
// cannot help yet; where paths are long, a sliding window of values keeps all lanes busy.
//
// What must hold, besides the proof of improvement (docs/semantics.md, rule 5 (a)):
//   - one message, sent to out-neighbours without a condition, its value a function of the inbox
//     and the edge's attribute alone;
//   - the value sent is never better than the inbox, so that the best value left is final; where
//     that takes weights that are not negative, the engine is for graphs without negative ones;
//   - the value sent grows, or stays, as the attribute grows, so that a sorted list is sorted by
//     what it sends, whatever the inbox;
//   - all vertices begin with the same state, and nothing else writes it: a vertex that never was
//     active has nothing better to say than what everybody has.

#include "compiler/passes/program/ExprProperties.h"

namespace vertigo::compiler::toplan {

/// Whether `sent` never falls as the edge's attribute grows.
bool rises_with_weight(const ir::Expr& sent, const passes::Surroundings& around);

}  // namespace vertigo::compiler::toplan
