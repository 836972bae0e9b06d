#pragma once
// The one message of a phase that improves a state by it, and the conditions that keep it from
// some vertices: of the guard, of the branches around the send, and of its receivers. Each is taken
// apart where `and` joins it, by what its parts depend on. All of them are true for good of a value
// if they are of a worse one (docs/semantics.md, rule 5 (a)), and none reads what the phase changes
// but the value itself: the phase is a search of the graph of those edges that messages go along.

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// Null conditions hold.
struct ChosenMessage {
  SendSite site;         ///< its value where nothing forbids it; no condition and no filter
  ir::ExprPtr untolled;  ///< a bound of it that asks for no end (Tolls.h); null where it asks none
  ir::ExprPtr to_any;    ///< one that asks for no receiver; null where it asks none
  ir::ExprPtr within;  ///< of the sender's value and the edge: holds of no worse ones if not of it
  ir::ExprPtr sends;   ///< of the sender, whatever its value
  ir::ExprPtr passes;  ///< of the sender's value, both ends and the edge
  ir::ExprPtr receives;  ///< of the inbox and the receiver
  ir::ExprPtr begins;    ///< of the inbox and the vertex: whether a start is taken

  bool has_conditions() const { return within || sends || passes || receives || begins; }
};

/// `problem` says why the phase does not send one message of that kind, and is "" where it does.
/// The phase assigns its inbox (problem_of_assignment(), up to Chosen).
ChosenMessage find_chosen_message(const PhaseAnalysis& analysis, const passes::Surroundings& around,
                                  std::string& problem);

/// `name(value, edge) = what is sent`, without tolls, the identity of the message where `within`
/// does not hold: what improves nobody. It gets no better as value or edge get worse, if the value
/// sent does not.
plan::Operator sent_within_operator(PhaseKernels& kernels, const std::string& name,
                                    const ChosenMessage& message);

/// The same with the ends, of a message with tolls: `sent_by(value, v, edge)`, what v sends to
/// whomever, and, where that depends on u, `sent_to(value, v, u, edge)`.
void add_tolled_operators(PhaseKernels& kernels, const ChosenMessage& message,
                          plan::Engine& engine);

/// `sends(v)`, `passes(value, v, u, edge)`, `receives(value, u)` and `begins(value, v)`: those of
/// the conditions that are there.
void add_conditions(PhaseKernels& kernels, const ChosenMessage& message, plan::Engine& engine);

}  // namespace vertigo::compiler::toplan
