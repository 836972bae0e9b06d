#pragma once
// What the sends of a proved improvement look like, as far as engines ask for it: messages that
// change by the same rule along every edge (levels), and messages that are passed on as they are
// (labels).

#include <string>

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

/// The same value at every vertex, known before anything runs.
bool is_constant(const ir::Expr& expr);

/// The same value is put into the inboxes of all started vertices.
bool starts_one_value(const ir::Phase& phase);

/// Why messages of one step may differ in value, or be better than those of a step before: the
/// first reason that a reader of the program would think of. "" where all sends have the value
/// `sent`: the inbox plus one positive constant; or, where all starts put in one value, a function
/// of the inbox alone that is never better than it.
std::string problem_of_uniform_cost(const Surroundings& around, const SymbolicUpdate& update,
                                    ir::ExprPtr& sent);
/// Of the value that it found.
std::string reason_of_uniform_cost(const Surroundings& around, const ir::Expr& sent);

/// Whether labels travel along both directions of every edge, or of those for which a condition
/// holds; and what this is else.
ir::Found<ir::Labels> find_labels(const Surroundings& around, const SymbolicUpdate& update);

}  // namespace vertigo::compiler::passes
