#pragma once
// What the sends of a proved improvement look like, as far as engines ask for it: messages that
// grow by the same amount along every edge (levels), and messages that are passed on as they are
// (labels).

#include <string>

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

/// The same value at every vertex, known before anything runs.
bool is_constant(const ir::Expr& expr);

/// Why messages of one step may differ in value: the first reason that a reader of the program
/// would think of. "" where every sent value is the inbox plus `step`, which is positive.
std::string problem_of_uniform_cost(const Surroundings& around, const SymbolicUpdate& update,
                                    ir::ExprPtr& step);

/// Why this is more than labels that travel along both directions of every edge; "" where it is
/// that.
std::string problem_of_labels(const Surroundings& around, const SymbolicUpdate& update);

}  // namespace vertigo::compiler::passes
