#pragma once
// What stands in expressions, and the expressions of a body.

#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::compiler::passes {

/// Whether `holds` is true of some node of the expression.
template <class Holds>
bool has_node(const ir::Expr& expr, const Holds& holds) {
  bool found = false;
  ir::walk(expr, [&](const ir::Expr& node) { found = found || holds(node); });
  return found;
}

/// Whether such a node stands in the expression.
inline bool reads(const ir::Expr& expr, ir::Op op) {
  return has_node(expr, [&](const ir::Expr& node) { return node.op == op; });
}

/// Calls `visit(statement, expression)` for each value, condition and receiver of the statements,
/// and of those inside of them. The expression may be replaced.
template <class Visit>
void for_each_expr(std::vector<ir::StmtPtr>& body, const Visit& visit) {
  for (const ir::StmtPtr& stmt : body) {
    for (ir::ExprPtr* expr : {&stmt->value, &stmt->condition, &stmt->receiver})
      if (*expr) visit(*stmt, *expr);
    for_each_expr(stmt->body, visit);
    for_each_expr(stmt->otherwise, visit);
  }
}

/// Calls `visit(expression)` for each of those of a body that stays as it is.
template <class Visit>
void for_each_read(const std::vector<ir::StmtPtr>& body, const Visit& visit) {
  ir::for_each_stmt(body, [&](const ir::Stmt& stmt) {
    for (const ir::ExprPtr* expr : {&stmt.value, &stmt.condition, &stmt.receiver})
      if (*expr) visit(**expr);
  });
}

/// The same, and for the guard of the phase.
template <class Visit>
void for_each_read(const ir::Phase& phase, const Visit& visit) {
  if (phase.guard) visit(*phase.guard);
  for_each_read(phase.body, visit);
}

}  // namespace vertigo::compiler::passes
