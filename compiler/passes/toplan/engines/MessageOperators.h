#pragma once
// Operators of engines that run a phase vertex by vertex: its one message, and its body.

#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"

namespace vertigo::compiler::toplan {

/// `identity()`, `combine(a, b)` and `deliver(u, message)` of the phase's message; the last
/// combines into the inbox of u, where other threads may combine too.
void add_message_operators(PhaseKernels& kernels, const std::string& message, plan::Engine& engine);

/// `own(v)`: the states of v that the body reads and never writes, so that they can be loaded
/// before its messages are there.
plan::Operator own_operator(PhaseKernels& kernels);

/// `name(v, own, message, turn) = what v sends`, after the body ran on states in memory; the
/// identity where nothing is sent. The phase reads and sends `message` alone. `turn` stands for
/// `step`, or for the variable of the loop around the phase. A state `kept_outside` is not in
/// memory: it is a parameter behind `own`, as it was before, and what the body assigns to it, once
/// and under no condition, is for its own use; the caller knows the value.
plan::Operator body_operator(PhaseKernels& kernels, const std::string& name,
                             const std::string& message, const ir::FunctionParameter& turn,
                             const std::string& kept_outside = "");

/// An expression over the states of the updated vertex: `name(v) = value`.
plan::Operator vertex_operator(PhaseKernels& kernels, const std::string& name,
                               const ir::Expr& value);

/// Why the body of a phase cannot be run by one thread on the states in memory, with one message
/// read and sent to all neighbours on one side; "" where it can.
std::string body_problem(const PhaseAnalysis& phase);

/// The parts of that: why the phase has not one message, a scalar, which it reads and sends; and
/// why its body is not one send to neighbours of what the vertex alone knows.
std::string message_problem(const PhaseAnalysis& phase);
std::string visit_problem(const PhaseAnalysis& phase);

/// The one `send` of the phase's body; null where there is none or another.
const ir::Stmt* single_send(const ir::Phase& phase);

/// Whether a floating sum, or the choice of any value, shows the order of messages.
bool shows_order(const ir::Message& message);

}  // namespace vertigo::compiler::toplan
