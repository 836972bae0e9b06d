#pragma once
// The type of an expression follows from its operands, from what its names are declared as, and
// from the types that the text states (literals, casts, reductions, counts). One place knows the
// rules.

#include <string>

#include "compiler/ir/program/Walk.h"

namespace vertigo::ir {

/// Sets `type` and returns "", or returns what is wrong. Operands are typed already. Where `expr`
/// states its own type, `type` is that one when it is possible.
std::string derive_type(const Expr& expr, const Scope& scope, Type& type);

}  // namespace vertigo::ir
