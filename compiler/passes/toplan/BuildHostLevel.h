#pragma once
// What lies around the phases: initial values, vertex inputs, and reductions over vertices that
// host-level code asks for.

#include "compiler/passes/toplan/KernelContext.h"

namespace vertigo::compiler::toplan {

/// Adds the buffers of all states, in the program's order.
void add_state_buffers(KernelContext& context);
void add_edge_state_buffers(KernelContext& context);

/// Fills Plan::initialize: every state as the program says, every inbox empty. States whose initial
/// value reads neighbours get a kernel of their own, after what they read.
void build_initialize(KernelContext& context);

/// Fills Plan::body and the step limits; every reduction over vertices becomes a kernel with a
/// scalar, and the expression a Load of its name.
void build_host_level(KernelContext& context);

/// The host-level form of an expression: reductions over vertices replaced by their names.
ir::ExprPtr lower_host(KernelContext& context, const ir::Expr& expr);

}  // namespace vertigo::compiler::toplan
