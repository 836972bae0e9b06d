#pragma once
// The tree as text, for `--emit=ast` and for tests. Every operator is bracketed; after check, a
// conversion that the source does not show is printed as `~type(…)` and names carry their types.

#include "compiler/ast/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace vertigo::compiler::ast {

void print(const Program& program, llvm::raw_ostream& out);
void print(const Expr& expr, llvm::raw_ostream& out);

}  // namespace vertigo::compiler::ast
