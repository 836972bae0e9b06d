#pragma once
// Visits every expression of a plan's kernels and host code with what is bound where it stands, as
// ir::ProgramWalk does for programs.

#include "compiler/ir/plan/Plan.h"
#include "compiler/ir/program/Walk.h"

namespace vertigo::plan {

/// `visit.host_stmt(stmt)` before a host statement's parts, `visit.stmt(stmt, scope)` after the
/// expressions of a kernel statement and before its blocks, `visit.expr(expr, scope)` children
/// first. `PlanRef` is Plan or const Plan. The program inside is not visited.
template <class PlanRef, class Visitor>
class PlanWalk {
 public:
  PlanWalk(PlanRef& plan, Visitor& visit) : plan_(plan), visit_(visit) {
    scope_.program = &plan.program;
  }

  void run() {
    scope_.place = ir::Place::Host;
    walk_host(plan_.body);
    // Kernels read the host's variables too; a plan without host code has them in its program.
    collect_host(plan_.program.body);
    for (auto& reduction : plan_.reductions) walk_expr(reduction.identity);
    for (auto& phase : plan_.phases) walk_expr(phase.step_limit);
    for (auto& phase : plan_.phases)
      if (phase.importance) walk_operator(*phase.importance);
    for (auto& phase : plan_.phases)
      for (auto& variant : phase.variants)
        if (variant.engine)
          for (auto& each : variant.engine->operators) walk_operator(each);
    for (auto& kernel : plan_.kernels) {
      const bool asks_vertices = kernel.domain == Domain::Part;
      scope_.place = ir::Place::Host;
      if (!asks_vertices) walk_expr(kernel.start);
      scope_.place = ir::Place::SendFilter;
      scope_.vertices = {kernel.vertex};
      if (asks_vertices) walk_expr(kernel.start);
      walk_block(kernel.body);
      scope_.vertices.clear();
    }
  }

 private:
  template <class Ptr>
  void walk_expr(Ptr& expr) {
    if (!expr) return;
    const bool binds = ir::is_reduction(expr->op);
    if (binds) scope_.vertices.push_back(expr->symbol);
    for (auto& operand : expr->operands) walk_expr(operand);
    if (binds) scope_.vertices.pop_back();
    visit_.expr(*expr, scope_);
  }

  template <class OperatorRef>
  void walk_operator(OperatorRef& each) {
    scope_.place = ir::Place::SendFilter;
    for (const ir::FunctionParameter& parameter : each.parameters) {
      scope_.locals.emplace_back(parameter.name, parameter.type);
      if (parameter.type == Type(ir::ScalarKind::Vertex)) scope_.vertices.push_back(parameter.name);
    }
    for (auto& stmt : each.body) walk_stmt(*stmt);
    walk_expr(each.value);
    scope_.locals.clear();
    scope_.vertices.clear();
  }

  void bind_host(const ir::Stmt& stmt) {
    if (stmt.kind == ir::StmtKind::HostLet || stmt.kind == ir::StmtKind::For)
      scope_.host.emplace_back(stmt.symbol, stmt.value ? stmt.value->type : ir::Type());
  }

  template <class Stmts>
  void walk_host(Stmts& body) {
    for (auto& stmt : body) {
      visit_.host_stmt(*stmt);
      walk_expr(stmt->value);
      walk_expr(stmt->limit);
      bind_host(*stmt);
      walk_host(stmt->body);
      walk_host(stmt->otherwise);
    }
  }

  void collect_host(const std::vector<ir::StmtPtr>& body) {
    for (const ir::StmtPtr& stmt : body) {
      if (scope_.host.find(stmt->symbol) == nullptr) bind_host(*stmt);
      collect_host(stmt->body);
      collect_host(stmt->otherwise);
    }
  }

  template <class BlockRef>
  void walk_block(BlockRef& block) {
    const std::size_t outer = scope_.locals.size(), outer_vertices = scope_.vertices.size();
    for (auto& stmt : block) walk_stmt(*stmt);
    scope_.locals.resize(outer);
    scope_.vertices.resize(outer_vertices);
  }

  // Of what it declares, only what outlives it is known behind it.
  template <class StmtRef>
  void walk_alone(StmtRef& stmt) {
    visit_.stmt(stmt, scope_);
    walk_block(stmt.body);
    for (auto& inside : stmt.body)
      if (inside->outlives) scope_.locals.emplace_back(inside->symbol, inside->type);
  }

  template <class StmtRef>
  void walk_stmt(StmtRef& stmt) {
    if (stmt.op == KernelOp::Alone) return walk_alone(stmt);
    walk_expr(stmt.index);
    walk_expr(stmt.value);
    walk_expr(stmt.identity);
    visit_.stmt(stmt, scope_);
    if (stmt.op == KernelOp::Let || stmt.op == KernelOp::Accumulator || stmt.op == KernelOp::Take)
      scope_.locals.emplace_back(stmt.symbol, stmt.type);
    // The receiver of a message, which may be any vertex.
    if (stmt.op == KernelOp::Let && stmt.type == ir::Type(ir::ScalarKind::Vertex))
      scope_.vertices.push_back(stmt.symbol);
    const std::size_t outer = scope_.locals.size();
    if (stmt.op == KernelOp::ForEdges) scope_.vertices.push_back(stmt.symbol);
    if (!stmt.slot.empty()) scope_.locals.emplace_back(stmt.slot, ir::ScalarKind::UInt64);
    if (stmt.op == KernelOp::ForMessages) scope_.locals.emplace_back(stmt.symbol, stmt.type);
    walk_block(stmt.body);
    walk_block(stmt.otherwise);
    scope_.locals.resize(outer);
    if (stmt.op == KernelOp::ForEdges) scope_.vertices.pop_back();
  }

  PlanRef& plan_;
  Visitor& visit_;
  ir::Scope scope_;
};

}  // namespace vertigo::plan
