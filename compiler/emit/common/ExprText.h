#pragma once
// Expressions of the plan as C++: brackets only where precedence needs them, integer arithmetic by
// the named functions that saturate (docs/generated-primitives.md).

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::emit {

/// The expression as C++ text.
/// What is asked of an edge by its place: a function of it.
std::string edge_function(const ir::Expr& condition);
std::string expr_text(const ir::Expr& expr);

/// The number as a literal of type double, whatever its size.
std::string double_text(double value);

/// As expr_text, in brackets where an operand of `!` or of a member access needs them.
std::string operand_text(const ir::Expr& expr);

/// A literal of the language that a user could type (`0.85`, `inf`); "" where `expr` is none.
std::string default_text(const ir::Expr* expr);

}  // namespace vertigo::compiler::emit
