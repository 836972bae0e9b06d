#pragma once
// Checked AST to Program IR. Everything that is only a way of writing ends here: `else if`, `+=`,
// implicit conversions, unnamed phases, the loop in a phase's header, the message that a send
// leaves unsaid.

#include "compiler/ast/Program.h"
#include "compiler/diag/DiagnosticEngine.h"
#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::lower {

/// Lowers a program in which check found no error. `diagnostics` is asked for lines and columns
/// only.
ir::Program lower(const ast::Program& program, const diag::DiagnosticEngine& diagnostics);

/// Lowers an expression of one vertex that check::check_of_vertex() passed.
ir::ExprPtr lower_of_vertex(const ast::Expr& value, const diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::lower
