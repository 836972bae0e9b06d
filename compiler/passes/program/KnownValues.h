#pragma once
// Values that the text of a program shows: literals, and the ends of types.

#include <optional>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

bool is_known(const ir::Expr& expr);

/// Of two known values of one type; nothing where it cannot be told.
std::optional<bool> is_less(const ir::Expr& a, const ir::Expr& b);

/// Whether `a == b`, which may be known of others, too: no vertex is `none`.
std::optional<bool> is_equal(const ir::Expr& a, const ir::Expr& b);

}  // namespace vertigo::compiler::passes
