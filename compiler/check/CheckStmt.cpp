// Statements of the host level.

#include "compiler/check/Checker.h"

namespace vertigo::compiler::check {

using ast::Stmt;
using ast::StmtKind;

void Checker::host_block(ast::Block& block) {
  ScopeGuard scope(scopes_);
  for (ast::StmtPtr& each : block) host_stmt(*each);
}

void Checker::host_stmt(Stmt& stmt) {
  place_ = Place::Host;
  switch (stmt.kind) {
    case StmtKind::Let:
      let(stmt);
      host_variables_.push_back(stmt.decl.get());
      break;
    case StmtKind::Assign:
      host_assign(stmt);
      break;
    case StmtKind::If:
      for (ast::Branch& branch : stmt.branches) {
        if (branch.condition) condition(branch.condition, Place::Host);
        host_block(branch.body);
      }
      break;
    case StmtKind::Repeat:
      count_expr(stmt.value, "number of rounds");
      host_block(stmt.body);
      break;
    case StmtKind::While:
      condition(stmt.value, Place::Host);
      host_block(stmt.body);
      break;
    case StmtKind::For: {
      stmt.decl->type = loop_bounds(stmt.value, stmt.last, stmt.by);
      ScopeGuard scope(scopes_);
      declare(*stmt.decl);
      host_block(stmt.body);
      break;
    }
    case StmtKind::Phase:
      phase(*stmt.phase);
      break;
    case StmtKind::Report:
      report(stmt);
      break;
    case StmtKind::Send:
      break;  // the parser let none through
  }
}

void Checker::let(Stmt& stmt) {
  if (stmt.written_type.written()) {
    Type type = resolve(stmt.written_type);
    if (type.is_list()) {
      diagnostics_.report(diag::ListOutsideParameter, stmt.written_type.range);
      type = Type::Form::Error;
    }
    expect(stmt.value, type);
    stmt.decl->type = type;
  } else {
    stmt.decl->type = value_of(stmt.value);
  }
  declare(*stmt.decl);
}

void Checker::host_assign(Stmt& stmt) {
  Expr& target = *stmt.target;
  if (target.kind == ExprKind::Reference) {
    const Decl* decl = scopes_.find(target.name.text);
    if (decl != nullptr && decl->kind == Decl::Kind::HostVariable) {
      target.decl = decl;
      target.type = decl->type;
      expect(stmt.value, decl->type);
      return;
    }
    if (decl == nullptr) {
      unknown_name(target.name);
    } else {
      std::string what = std::string(ast::describe(decl->kind)) + " '" + target.name.text + "'";
      auto& report = diagnostics_.report(diag::NotAssignable, target.range, what);
      if (decl->kind == Decl::Kind::State)
        report.note("states are written by an update: 'update all v { v." + target.name.text +
                    " = …; }'");
      else
        report.note(decl->name.range, "declared here");
    }
    return;
  }
  diagnostics_.report(diag::NotAssignable, target.range,
                      "at host level, '" + diagnostics_.text(target.range).str() + "'");
}

void Checker::report(Stmt& stmt) {
  Type type = value_of(stmt.value);
  if (!type.is_error() && !type.is_scalar())
    diagnostics_.report(diag::ScalarNeeded, stmt.value->range, "report", in_words(type));
  stmt.decl->type = type;
  if (const Decl* before = reports_.find(stmt.decl->name.text))
    diagnostics_.report(diag::Redeclared, stmt.decl->name.range, stmt.decl->name.text)
        .note(before->name.range, "first reported here");
  reports_.add(*stmt.decl);
}

void Checker::count_expr(ExprPtr& expr, const char* what) {
  Restore restore(place_, Place::Host);
  Type type = value_of(expr);
  if (type.is_error()) return;
  if (!type.is_integer()) {
    diagnostics_.report(diag::TypeMismatch, expr->range, "a whole number", in_words(type));
  } else if (expr->kind == ExprKind::Unary && expr->operands[0]->kind == ExprKind::Integer) {
    diagnostics_.report(diag::NegativeCount, expr->range, what);
  }
}

// A loop from the largest value of all vertices is about to go through levels, deepest first; to a
// literal beyond 1 it counts up, and runs no round where it was meant to fall.
void Checker::warn_of_rise(const Expr& first, const Expr& last) {
  if (last.kind != ExprKind::Integer || last.integer < 2) return;
  bool from_largest = false;
  ast::walk(first, [&](const Expr& part) {
    from_largest = from_largest || (part.kind == ExprKind::Reduction && !part.over_neighbours &&
                                    part.reduction == ast::ReductionOp::Max);
  });
  if (from_largest)
    diagnostics_.report(diag::LoopRises, last.range, last.integer)
        .note(last.range, "a loop to 1 or lower falls by itself")
        .fix({last.range.end, last.range.end, last.range.file}, " by -1");
}

// Of `for s in sources`: the vertices of a list, which has no other use than this and starts.
Type Checker::listed(Expr& list) {
  const Decl* const decl =
      list.kind == ExprKind::Reference ? scopes_.find(list.name.text) : nullptr;
  if (decl == nullptr || !decl->type.is_list()) {
    auto& report =
        diagnostics_.report(diag::NotALoopRange, list.range, diagnostics_.text(list.range))
            .note("both ends of a range are included; 'update all v { … }' visits every vertex");
    if (decl != nullptr) report.note(decl->name.range, "declared here");
    return Type::Form::Error;
  }
  decl->read = true;
  list.decl = decl;
  list.type = decl->type;
  return ScalarKind::Vertex;
}

Type Checker::loop_bounds(ExprPtr& first, ExprPtr& last, ExprPtr& by) {
  if (last == nullptr) return listed(*first);
  Restore restore(place_, Place::Host);
  infer(first);
  infer(last);
  if (!by) warn_of_rise(*first, *last);
  Type common = unify(first, last);
  if (common.is_open()) {
    settle(first);
    settle(last);
    common = unify(first, last);
  }
  if (by) {
    bool negative = by->kind == ExprKind::Unary && by->op == ir::Op::Negate;
    const Expr& size = negative ? *by->operands[0] : *by;
    if (size.kind != ExprKind::Integer || size.integer != 1)
      diagnostics_.report(diag::ForStep, by->range);
    else
      value_of(by);
  }
  if (common.is_error() || common.is_integer()) return common;
  Type wrong = first->type.is_integer() ? last->type : first->type;
  diagnostics_.report(diag::TypeMismatch, first->type.is_integer() ? last->range : first->range,
                      "a whole number", in_words(wrong));
  return Type::Form::Error;
}

}  // namespace vertigo::compiler::check
