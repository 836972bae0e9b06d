#pragma once
// The operators of the language, one function per operator and type.

#include "code.h"

namespace vertigo::reference {

/// a of type `from` as `to`.
Node::Run conversion_of(ScalarKind from, ScalarKind to);
/// Negate, Not, Abs, Sqrt, Exp, Log of a; null where the type has none.
Node::Run unary_of(ir::Op op, ScalarKind kind);
/// Add … Modulo, And, Or, Min, Max of a and b.
Node::Run binary_of(ir::Op op, ScalarKind kind);
/// Equal … GreaterEqual of a and b.
Node::Run comparison_of(ir::Op op, ScalarKind kind);

}  // namespace vertigo::reference
