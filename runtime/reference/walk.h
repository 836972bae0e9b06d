#pragma once
// Visits every statement and expression of a program or of a part of it.

#include "compiler/ir/program/Program.h"

namespace vertigo::reference {

template <class OnExpr>
void walk_expr(const ir::ExprPtr& expr, const OnExpr& on_expr) {
  if (expr) ir::walk(static_cast<const ir::Expr&>(*expr), on_expr);
}

inline bool reads_inbox(const ir::Expr& expr) {
  bool found = false;
  ir::walk(expr, [&](const ir::Expr& e) { found |= e.op == ir::Op::Inbox; });
  return found;
}

template <class OnStmt, class OnExpr>
void walk_statements(const std::vector<ir::StmtPtr>& statements, const OnStmt& on_stmt,
                     const OnExpr& on_expr) {
  for (const ir::StmtPtr& statement : statements) {
    on_stmt(static_cast<const ir::Stmt&>(*statement));
    walk_expr(statement->value, on_expr);
    walk_expr(statement->limit, on_expr);
    walk_expr(statement->condition, on_expr);
    walk_statements(statement->body, on_stmt, on_expr);
    walk_statements(statement->otherwise, on_stmt, on_expr);
  }
}

/// Starts, guard, body and limit of a phase.
template <class OnStmt, class OnExpr>
void walk_phase(const ir::Phase& phase, const OnStmt& on_stmt, const OnExpr& on_expr) {
  for (const ir::Start& start : phase.starts) {
    walk_expr(start.vertex, on_expr);
    walk_expr(start.condition, on_expr);
    walk_statements(start.body, on_stmt, on_expr);
  }
  walk_expr(phase.guard, on_expr);
  walk_expr(phase.step_limit, on_expr);
  walk_statements(phase.body, on_stmt, on_expr);
}

template <class OnStmt, class OnExpr>
void walk_program(const ir::Program& program, const OnStmt& on_stmt, const OnExpr& on_expr) {
  for (const ir::State& state : program.states) walk_expr(state.initial, on_expr);
  for (const ir::Function& function : program.functions) walk_expr(function.body, on_expr);
  for (const ir::Phase& phase : program.phases) walk_phase(phase, on_stmt, on_expr);
  walk_statements(program.body, on_stmt, on_expr);
}

}  // namespace vertigo::reference
