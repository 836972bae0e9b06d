#pragma once
// The program's expressions as operators of an engine.

#include <string>

#include "compiler/passes/toplan/PhaseKernels.h"
#include "compiler/passes/toplan/SendSites.h"

namespace vertigo::compiler::toplan {

/// What an operator is a function of, besides the value; an engine knows which of them it can give.
struct OperatorInputs {
  bool sender = false;    ///< a parameter of type vertex, named like the update's vertex
  bool receiver = false;  ///< a parameter of type vertex, named like the send's neighbour
  bool edge = false;  ///< the program's edge attribute, under its name; a number where it has none
};

/// The edge at hand of an operator: the program's attribute; where it has none, a number under a
/// fresh name that nothing reads.
ir::FunctionParameter edge_parameter(const ir::Program& program, LocalNames& names);

/// `name(value[, sender][, weight]) = what is sent`: the site's value with `state` at the sender
/// replaced by the parameter, which is named like the phase's message.
plan::Operator sent_operator(PhaseKernels& kernels, const std::string& name, const SendSite& site,
                             const OperatorInputs& inputs);

/// Whether every edge has its reverse.
bool requires_symmetric(const ir::Program& program);

/// `name(sender, receiver[, weight]) = condition`, under which a message of `send` goes along an
/// edge; it reads what the phase does not change. The weight where the condition mentions it.
plan::Operator edge_condition_operator(PhaseKernels& kernels, const std::string& name,
                                       const ir::Stmt& send, const ir::Expr& condition);

/// `name(value, state) = the guard`, for phases that assign the inbox to a state of the same type
/// under a guard that reads nothing but the two; the parameters are named like message and state.
plan::Operator guard_operator(PhaseKernels& kernels, const std::string& name);

}  // namespace vertigo::compiler::toplan
