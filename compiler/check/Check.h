#pragma once
// Names, types, and what the contract of the language (docs/semantics.md) permits where.

#include <string>
#include <vector>

#include "compiler/ast/Program.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::check {

/// A function that a `use`d header defines, as the driver read it from there.
struct ExternFunction {
  std::string name;
  std::string header;
  std::vector<ast::Type> parameters;
  ast::Type result;
};

/// Resolves every name, types every expression, inserts the implicit conversions, and reports what
/// the language does not permit. The tree is complete only when nothing was reported as an error.
void check(ast::Program& program, diag::DiagnosticEngine& diagnostics,
           const std::vector<ExternFunction>& externs = {});

/// Resolves and types `value`, which says something of one vertex as an initial value does: of
/// `self`. `declarations` holds parameters and vertex states with their types, and nothing else.
/// The tree is complete only when nothing was reported as an error.
void check_of_vertex(ast::Program& declarations, ast::ExprPtr& value, const ast::Type& type,
                     diag::DiagnosticEngine& diagnostics);

}  // namespace vertigo::compiler::check
