#pragma once
// Private to check: what a program that is correct probably does not mean. These look at the tree
// once it is complete, with its types and conversions.

#include "compiler/ast/Program.h"
#include "compiler/diag/DiagnosticEngine.h"

namespace vertigo::compiler::check {

/// Divisions of integers whose result becomes a floating number without the source saying so.
void warn_of_integer_divisions(const ast::Program& program, diag::DiagnosticEngine& diagnostics);

/// Integer sums, differences and products of constants whose value their type does not hold.
void warn_of_saturated_constants(const ast::Program& program, diag::DiagnosticEngine& diagnostics);

/// Shifts by an amount that is written out and leaves no bit of any value, or is below 0.
void refuse_shift_amounts(const ast::Program& program, diag::DiagnosticEngine& diagnostics);

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

/// Calls visit(expr) for every expression of the program that is no part of another.
template <class Visit>
void for_each_expr(const ast::Program& program, const Visit& visit) {
  const auto look = [&](const ast::ExprPtr& root) {
    if (root) visit(*root);
  };
  const auto declared = [&](const auto& list) {
    for (const auto& each : list) look(each->initial);
  };
  declared(program.parameters);
  declared(program.edges);
  declared(program.states);
  declared(program.messages);
  for (const auto& function : program.functions) look(function->body);
  for (const ast::Output& output : program.outputs) look(output.tolerance);
  for_each_stmt(program.body, [&](const ast::Stmt& stmt) {
    look(stmt.value);
    look(stmt.last);
    look(stmt.condition);
    for (const ast::Branch& branch : stmt.branches) look(branch.condition);
    if (!stmt.phase) return;
    look(stmt.phase->first);
    look(stmt.phase->last);
    look(stmt.phase->limit);
    for (const ast::Start& start : stmt.phase->starts) look(start.condition);
    if (stmt.phase->update) look(stmt.phase->update->condition);
  });
}

}  // namespace vertigo::compiler::check
