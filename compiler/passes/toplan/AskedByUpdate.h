#pragma once
// Conditions of the host level that an update asks as well: `while any(!v.decided) { update v where
// !v.decided { … } … }`. The update tells whether anyone took part, and nobody asks all vertices
// before it.

#include <string>

#include "compiler/ir/plan/Plan.h"

namespace vertigo::compiler::toplan {

/// The phase that `next` runs, where it takes part at the vertices for which `value`, a reduction
/// `any` over vertices, asks; null where it is none. Such a phase may be run for its own answer: it
/// changes nothing where the answer is no.
const ir::Phase* find_asking_update(const plan::Plan& plan, const ir::Expr& value,
                                    const ir::Stmt& next);

}  // namespace vertigo::compiler::toplan
