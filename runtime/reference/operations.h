#pragma once
// The operators of the language, one function per operator and type.

#include "code.h"

namespace vertigo::reference {

/// a of type `from` as `to`.
Node::Run conversion_of(ScalarKind from, ScalarKind to);
/// An operator of one or two values of a type, as Ops.def lists them; null where the type has none.
Node::Run operation_of(ir::Op op, ScalarKind kind);

}  // namespace vertigo::reference
