#pragma once
// The engine `distances`: an improving phase whose messages depend on the weights of edges, worked
// on in the order of its values. Lists sorted by weight let a vertex stop at the first edge that
// cannot help yet; where paths are long, a sliding window of values keeps all lanes busy.
//
// What must hold, besides rule (a) of DESIGN section 3 (5):
//   - one message, sent to out-neighbours without a condition, its value a function of the inbox
//     and the edge's attribute alone;
//   - the value sent is never better than the inbox, so that the best value left is final;
//   - the value sent grows, or stays, as the attribute grows, so that a sorted list is sorted by
//     what it sends, whatever the inbox;
//   - all vertices begin with the same state, and nothing else writes it: a vertex that never was
//     active has nothing better to say than what everybody has.

#include <string>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::toplan {

/// Whether `sent`, an expression over state `state` of the sender and the edge's attribute, is
/// never better than the state: never smaller where `downwards`, else never larger.
bool never_improves(const ir::Expr& sent, const ir::Program& program, const ir::Phase& phase,
                    const std::string& state, bool downwards);

/// Whether `sent` never falls as the edge's attribute grows.
bool rises_with_weight(const ir::Expr& sent, const ir::Program& program, const ir::Phase& phase);

}  // namespace vertigo::compiler::toplan
