#pragma once
// Visits every expression of a program with what is bound where it stands. The reader fills in
// types this way and the verifier checks them, so that both mean the same by a scope.

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/ir/program/Program.h"

namespace vertigo::ir {

/// Where an expression stands; decides what it may read.
enum class Place : std::uint8_t {
  Constant,  ///< default of a parameter or an edge attribute, identity of a message
  Initial,   ///< of a state
  Function,
  Host,       ///< host level, step limits and the vertex of a start
  StartBody,  ///< condition and body of a start
  Guard,
  Body,        ///< of an update
  SendValue,   ///< as Body, and the edge and what never changes of the neighbour
  SendFilter,  ///< as Body, and the edge and the neighbour
};

/// Names that are bound where a walk stands, the innermost last; found without looking at the
/// others, because a body may have thousands.
class BoundNames {
 public:
  void emplace_back(const std::string& name, Type type) {
    places_[name].push_back(names_.size());
    names_.emplace_back(name, std::move(type));
  }
  std::size_t size() const { return names_.size(); }
  /// Takes the innermost ones away until so many are left.
  void resize(std::size_t size) {
    for (; names_.size() > size; names_.pop_back()) places_[names_.back().first].pop_back();
  }
  void clear() { resize(0); }

  /// The innermost one of that name; null where there is none.
  const Type* find(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() || found->second.empty() ? nullptr
                                                           : &names_[found->second.back()].second;
  }

 private:
  std::vector<std::pair<std::string, Type>> names_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;
};

struct Scope {
  const Program* program = nullptr;
  const Phase* phase = nullptr;  ///< null outside phases
  Place place = Place::Constant;
  unsigned edges = 0;  ///< how many loops over edges stand around
  std::vector<std::string> vertices;
  BoundNames locals;
  BoundNames host;
};

/// `visit.expr(expr, scope)` is called children first, `visit.stmt(stmt, scope)` before a
/// statement's parts, `visit.phase(phase)` before a phase. `ProgramRef` is Program or const
/// Program.
template <class ProgramRef, class Visitor>
class ProgramWalk {
 public:
  ProgramWalk(ProgramRef& program, Visitor& visit) : program_(program), visit_(visit) {
    scope_.program = &program;
  }

  void run() {
    for (auto& parameter : program_.parameters) at(Place::Constant, parameter.initial);
    if (program_.edge) at(Place::Constant, program_.edge->initial);
    for (auto& edge : program_.edge_columns) at(Place::Constant, edge.initial);
    for (auto& edge : program_.edge_states) at(Place::Constant, edge.initial);
    for (auto& function : program_.functions) walk_function(function);
    for (auto& state : program_.states) {
      scope_.vertices = {"self"};
      at(Place::Initial, state.initial);
      scope_.vertices.clear();
    }
    for (auto& message : program_.messages) at(Place::Constant, message.identity);
    scope_.place = Place::Host;
    // Phases see every host variable, wherever the host code runs them.
    walk_body(program_.body);
    for (auto& phase : program_.phases) walk_phase(phase);
  }

 private:
  template <class Ptr>
  void at(Place place, Ptr& expr) {
    scope_.place = place;
    walk_expr(expr);
  }

  template <class Ptr>
  void walk_expr(Ptr& expr) {
    if (!expr) return;
    if (is_reduction(expr->op)) {
      walk_reduction(*expr);
    } else {
      const bool chooses = expr->op == Op::CommonNeighbours;
      for (std::size_t i = 0; i < expr->operands.size(); ++i) {
        scope_.edges += chooses && i == 2 ? 1 : 0;
        walk_expr(expr->operands[i]);
        scope_.edges -= chooses && i == 2 ? 1 : 0;
      }
    }
    visit_.expr(*expr, scope_);
  }

  // A reduction over neighbours has an edge at hand, and one over common neighbours has none.
  template <class ExprRef>
  void walk_reduction(ExprRef& expr) {
    for (std::size_t i = 2; i < expr.operands.size(); ++i) walk_expr(expr.operands[i]);
    const unsigned outer = scope_.edges;
    if (expr.op == Op::ReduceNeighbours) ++scope_.edges;
    if (expr.op == Op::ReduceCommon) scope_.edges = 0;
    scope_.vertices.push_back(expr.symbol);
    for (std::size_t i = 0; i < expr.operands.size() && i < 2; ++i) walk_expr(expr.operands[i]);
    scope_.vertices.pop_back();
    scope_.edges = outer;
  }

  template <class FunctionRef>
  void walk_function(FunctionRef& function) {
    for (const FunctionParameter& parameter : function.parameters)
      scope_.locals.emplace_back(parameter.name, parameter.type);
    at(Place::Function, function.body);
    scope_.locals.clear();
  }

  template <class Stmts>
  void walk_body(Stmts& body) {
    const std::size_t outer = scope_.locals.size();
    for (auto& stmt : body) walk_stmt(*stmt);
    scope_.locals.resize(outer);
  }

  template <class StmtRef>
  void walk_stmt(StmtRef& stmt) {
    visit_.stmt(stmt, scope_);
    if (stmt.kind == StmtKind::Send) return walk_send(stmt);
    if (stmt.kind == StmtKind::UpdateEdges) return walk_edges(stmt);
    walk_expr(stmt.value);
    walk_expr(stmt.limit);
    const Type type = stmt.value ? stmt.value->type : Type();
    if (stmt.kind == StmtKind::Let) scope_.locals.emplace_back(stmt.symbol, type);
    if (stmt.kind == StmtKind::HostLet || stmt.kind == StmtKind::For)
      scope_.host.emplace_back(stmt.symbol, type);
    walk_body(stmt.body);
    walk_body(stmt.otherwise);
  }

  template <class StmtRef>
  void walk_send(StmtRef& stmt) {
    const Place outer = scope_.place;
    at(Place::Body, stmt.receiver);
    if (!stmt.neighbour.empty()) scope_.vertices.push_back(stmt.neighbour);
    at(Place::SendValue, stmt.value);
    at(Place::SendFilter, stmt.condition);
    if (!stmt.neighbour.empty()) scope_.vertices.pop_back();
    scope_.place = outer;
  }

  template <class StmtRef>
  void walk_edges(StmtRef& stmt) {
    scope_.vertices.push_back(stmt.neighbour);
    ++scope_.edges;
    walk_expr(stmt.value);
    walk_body(stmt.body);
    --scope_.edges;
    scope_.vertices.pop_back();
  }

  template <class PhaseRef>
  void walk_phase(PhaseRef& phase) {
    visit_.phase(phase);
    scope_.phase = &phase;
    at(Place::Host, phase.step_limit);
    for (auto& start : phase.starts) {
      at(Place::Host, start.vertex);
      if (!start.variable.empty()) scope_.vertices.push_back(start.variable);
      at(Place::StartBody, start.condition);
      walk_body(start.body);
      scope_.vertices.clear();
    }
    scope_.vertices = {phase.variable};
    at(Place::Guard, phase.guard);
    scope_.place = Place::Body;
    walk_body(phase.body);
    scope_.vertices.clear();
    scope_.phase = nullptr;
  }

  ProgramRef& program_;
  Visitor& visit_;
  Scope scope_;
};

}  // namespace vertigo::ir
