#pragma once
// Expressions as programs write them, for those who read the program and not its IR.

#include <string>

#include "compiler/ir/program/Expr.h"

namespace vertigo::ir {

/// "best + weight * v.share". What lowering and passes have made is spelled as the language would.
std::string source_text(const Expr& expr);

}  // namespace vertigo::ir
