#include "compiler/passes/program/FallingChoice.h"

#include <algorithm>
#include <functional>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Proofs.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

/// Calls `visit(assignment, edges)` for what updates of edges assign; `edges`: the update.
void for_each_assignment(const std::vector<ir::StmtPtr>& body, const Stmt* edges,
                         const std::function<void(const Stmt&, const Stmt&)>& visit) {
  for (const ir::StmtPtr& stmt : body) {
    if (stmt->kind == StmtKind::AssignEdge && edges != nullptr) visit(*stmt, *edges);
    const Stmt* const around = stmt->kind == StmtKind::UpdateEdges ? stmt.get() : edges;
    for_each_assignment(stmt->body, around, visit);
    for_each_assignment(stmt->otherwise, around, visit);
  }
}

/// All of it, but not the sets that reductions run over: nobody asks for their numbers.
void walk_asked(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  visit(expr);
  for (const ExprPtr& operand : expr.operands) {
    if (!operand) continue;
    const bool is_set = expr.op == Op::ReduceCommon && operand == expr.operands[2];
    if (!is_set) {
      walk_asked(*operand, visit);
      continue;
    }
    for (const ExprPtr& part : operand->operands) walk_asked(*part, visit);
  }
}

/// Calls `visit(expr, edges)` for every expression of the updates of edges.
void for_each_asked(const std::vector<ir::StmtPtr>& body, const Stmt* edges,
                    const std::function<void(const Expr&, const Stmt&)>& visit) {
  for (const ir::StmtPtr& stmt : body) {
    const Stmt* const around = stmt->kind == StmtKind::UpdateEdges ? stmt.get() : edges;
    if (around != nullptr && stmt->value)
      walk_asked(*stmt->value, [&](const Expr& expr) { visit(expr, *around); });
    for_each_asked(stmt->body, around, visit);
    for_each_asked(stmt->otherwise, around, visit);
  }
}

std::set<std::string> edge_states_of(const ir::Program& program, const Expr& expr) {
  std::set<std::string> states;
  ir::walk(expr, [&](const Expr& e) {
    if (e.op == Op::EdgeAttribute && program.find_edge_state(e.symbol) != nullptr)
      states.insert(e.symbol);
  });
  return states;
}

bool is_state(const Expr& expr, const std::string& state) {
  return expr.op == Op::EdgeAttribute && expr.symbol == state;
}

bool is_false(const Expr& expr) {
  const auto* value = expr.op == Op::Literal ? std::get_if<bool>(&expr.value) : nullptr;
  return value != nullptr && !*value;
}

/// `alive = alive && …`
bool is_narrowed(const Expr& value, const std::string& state) {
  return value.op == Op::And && std::ranges::any_of(value.operands, [&](const ExprPtr& operand) {
           return is_state(*operand, state) || is_narrowed(*operand, state);
         });
}

class FallingProof {
 public:
  explicit FallingProof(const ir::Program& program) : program_(program) {}

  /// Why the condition may come to hold of an edge that it does not hold of; "" where it never
  /// does.
  std::string problem_of(const Expr& condition) const {
    std::string problem = problem_of_reading(condition);
    const ExprPtr known = inline_calls(program_, condition);
    if (problem.empty() && !known) problem = "it is too large to analyse";
    if (!problem.empty()) return problem;
    for (const Expr* part : conjuncts(*known))
      for (const ir::Phase& phase : program_.phases)
        if (problem.empty() && may_raise(phase, *part))
          problem = quoted(*part) + " may hold again where it did not: phase " +
                    quoted(phase.name) + " assigns what it reads";
    return problem;
  }

 private:
  static std::string problem_of_reading(const Expr& condition) {
    std::string problem;
    ir::walk(condition, [&](const Expr& e) {
      if (e.op == Op::HostVariable)
        problem = "reads " + quoted(e.symbol) + ", which is another one in another round";
      else if (e.op == Op::ExternCall)
        problem = "calls " + quoted(e.symbol) + " of a header, which may give anything";
    });
    return problem;
  }

  bool may_raise(const ir::Phase& phase, const Expr& part) const {
    const std::set<std::string> read = edge_states_of(program_, part);
    bool raises = false;
    for_each_assignment(phase.body, nullptr, [&](const Stmt& assigned, const Stmt& edges) {
      if (!raises && read.contains(assigned.symbol))
        raises = !stands_where_it_holds(edges, part) && !leaves_false(assigned, part, read);
    });
    return raises;
  }

  bool stands_where_it_holds(const Stmt& edges, const Expr& part) const {
    const ExprPtr where = inline_calls(program_, *edges.value);
    return where && std::ranges::any_of(conjuncts(*where),
                                        [&](const Expr* asked) { return ir::same(*asked, part); });
  }

  bool leaves_false(const Stmt& assigned, const Expr& part,
                    const std::set<std::string>& read) const {
    if (read.size() != 1) return false;
    const ExprPtr value = inline_calls(program_, *assigned.value);
    if (!value) return false;
    if (is_state(part, assigned.symbol) && is_narrowed(*value, assigned.symbol)) return true;
    return is_false(*folded_expr(*replaced(part, [&](const Expr& e) -> ExprPtr {
      return is_state(e, assigned.symbol) ? value->clone() : nullptr;
    })));
  }

  const ir::Program& program_;
};

bool is_end(const Expr& expr, const std::string& name) {
  return expr.op == Op::BoundVertex && expr.vertex == name;
}

bool is_of_ends(const Expr& expr, const std::string& own, const std::string& other) {
  if (expr.op != Op::CommonNeighbours || expr.operands.size() != 3) return false;
  const Expr& a = *expr.operands[0];
  const Expr& b = *expr.operands[1];
  return (is_end(a, own) && is_end(b, other)) || (is_end(a, other) && is_end(b, own));
}

}  // namespace

FallingChoice find_falling_choice(const ir::Program& program) {
  FallingChoice result;
  const ir::Uses uses(program);
  const FallingProof proof(program);
  for (const ir::Phase& phase : program.phases) {
    if (uses.runs_once(phase.name)) continue;
    for_each_asked(phase.body, nullptr, [&](const Expr& expr, const Stmt& edges) {
      if (result.condition || !is_of_ends(expr, phase.variable, edges.neighbour)) return;
      const Expr& condition = *expr.operands[2];
      const std::string problem = proof.problem_of(condition);
      const std::string said = quoted(condition);
      if (problem.empty()) {
        result.condition = condition.clone();
        result.states = edge_states_of(program, condition);
        result.reason = said + ", once false of an edge, is false for good";
      } else if (!result.is_asked) {
        result.reason = problem.starts_with("'") ? problem : said + " " + problem;
      }
      result.is_asked = true;
    });
  }
  return result;
}

bool changes_choice(const FallingChoice& choice, const ir::Phase& phase) {
  bool found = false;
  for_each_assignment(phase.body, nullptr, [&](const Stmt& assigned, const Stmt&) {
    found = found || choice.states.contains(assigned.symbol);
  });
  return found;
}

bool counts_chosen(const FallingChoice& choice, const Expr& expr, const std::string& own,
                   const std::string& other) {
  return choice.condition && is_of_ends(expr, own, other) &&
         ir::same(*expr.operands[2], *choice.condition);
}

bool implies_choice(const FallingChoice& choice, const Expr& where) {
  const std::vector<const Expr*> given = conjuncts(where);
  return std::ranges::all_of(conjuncts(*choice.condition), [&](const Expr* part) {
    return std::ranges::any_of(given, [&](const Expr* other) { return ir::same(*part, *other); });
  });
}

namespace {

/// `known`: the edge at hand is chosen wherever the expression is asked.
bool asks_lists(const FallingChoice& choice, const Expr& expr, const std::string& own,
                const Stmt& edges, bool known) {
  if (expr.op == Op::And)
    return asks_lists(choice, *expr.operands[0], own, edges, known) ||
           asks_lists(choice, *expr.operands[1], own, edges,
                      known || implies_choice(choice, *expr.operands[0]));
  // What stands at the common neighbours is not kept, nor which they are.
  if (expr.op == Op::ReduceCommon && expr.operands[2]->operands.size() == 3) return true;
  if (expr.op == Op::CommonNeighbours && expr.operands.size() == 3)
    return !known || !counts_chosen(choice, expr, own, edges.neighbour);
  return std::ranges::any_of(expr.operands, [&](const ExprPtr& operand) {
    return operand && asks_lists(choice, *operand, own, edges, known);
  });
}

bool asks_lists(const FallingChoice& choice, const std::vector<ir::StmtPtr>& body,
                const std::string& own, const Stmt& edges, bool known) {
  return std::ranges::any_of(body, [&](const ir::StmtPtr& stmt) {
    return (stmt->value && asks_lists(choice, *stmt->value, own, edges, known)) ||
           asks_lists(choice, stmt->body, own, edges, known) ||
           asks_lists(choice, stmt->otherwise, own, edges, known);
  });
}

}  // namespace

bool asks_lists(const FallingChoice& choice, const ir::Phase& phase) {
  return std::ranges::any_of(phase.body, [&](const ir::StmtPtr& stmt) {
    return stmt->kind != StmtKind::UpdateEdges ||
           asks_lists(choice, *stmt->value, phase.variable, *stmt, false) ||
           asks_lists(choice, stmt->body, phase.variable, *stmt,
                      implies_choice(choice, *stmt->value));
  });
}

}  // namespace vertigo::compiler::passes
