#pragma once
// Private to check: what a program that is correct probably does not mean. These look at the tree
// once it is complete, with its types and conversions.

#include "compiler/ast/Program.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::check {

/// Divisions of integers whose result becomes a floating number without the source saying so.
void warn_of_integer_divisions(const ast::Program& program, diag::DiagnosticEngine& diagnostics);

/// Guards of `update … when` that an activation leaves true, so that vertices go on making each
/// other active.
void warn_of_lasting_guards(const ast::Program& program, diag::DiagnosticEngine& diagnostics);

/// Calls visit(stmt) for every statement below, outer ones first, with bodies of updates and
/// starts.
template <class Visit>
void for_each_stmt(const ast::Block& block, const Visit& visit) {
  for (const ast::StmtPtr& stmt : block) {
    visit(*stmt);
    for_each_stmt(stmt->body, visit);
    for (const ast::Branch& branch : stmt->branches) for_each_stmt(branch.body, visit);
    if (!stmt->phase) continue;
    for (const ast::Start& start : stmt->phase->starts) for_each_stmt(start.body, visit);
    if (stmt->phase->update) for_each_stmt(stmt->phase->update->body, visit);
  }
}

}  // namespace vertigo::compiler::check
