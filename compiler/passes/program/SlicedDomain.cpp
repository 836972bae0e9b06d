#include "compiler/passes/program/SlicedDomain.h"

#include <set>
#include <vector>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/Proofs.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

bool has_order(const ir::Type& type) {
  return type.is_scalar() && !ir::is_float(type.scalar()) &&
         type.scalar() != ir::ScalarKind::Wide64;
}

/// A state of `vertex`, and a value of the host level that it is to have.
struct Comparison {
  const Expr* state = nullptr;
  const Expr* value = nullptr;
};

Comparison comparison_of(const Expr& conjunct, const std::string& vertex) {
  if (conjunct.op != Op::Equal) return {};
  const Expr& a = *conjunct.operands[0];
  const Expr& b = *conjunct.operands[1];
  if (ir::is_state_of(a, vertex) && is_same_for_all(b)) return {&a, &b};
  if (ir::is_state_of(b, vertex) && is_same_for_all(a)) return {&b, &a};
  return {};
}

bool is_loop(const Stmt& stmt) {
  return stmt.kind == StmtKind::Repeat || stmt.kind == StmtKind::For ||
         stmt.kind == StmtKind::While;
}

struct Loop {
  unsigned number = 0;
  const Stmt* stmt = nullptr;
};

/// The loops around each statement that runs the phase, from the outermost to the innermost.
class Runs {
 public:
  Runs(const ir::Program& program, const std::string& phase) : phase_(phase) { look(program.body); }
  const std::vector<std::vector<Loop>>& found() const { return found_; }

 private:
  void look(const std::vector<ir::StmtPtr>& body) {
    for (const ir::StmtPtr& stmt : body) {
      if (stmt->kind == StmtKind::Phase && stmt->symbol == phase_) found_.push_back(around_);
      if (is_loop(*stmt)) around_.push_back({next_++, stmt.get()});
      look(stmt->body);
      look(stmt->otherwise);
      if (is_loop(*stmt)) around_.pop_back();
    }
  }

  const std::string& phase_;
  std::vector<Loop> around_;
  std::vector<std::vector<Loop>> found_;
  unsigned next_ = 0;
};

/// A phase that the loop runs and that assigns the state; "": there is none.
std::string writer_in(const ir::Program& program, const Stmt& loop, const std::string& state) {
  std::string writer;
  for (const auto* body : {&loop.body, &loop.otherwise})
    ir::for_each_stmt(*body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::Phase && ir::writes(*program.find_phase(stmt.symbol), state))
        writer = stmt.symbol;
    });
  return writer;
}

std::string described(const Stmt& loop) {
  return loop.location.line == 0 ? "a loop"
                                 : "the loop of line " + std::to_string(loop.location.line);
}

/// The outermost of the loops in which nobody assigns the state; where there is none, `problem`
/// says who does.
const Loop* loop_without_writer(const ir::Program& program, const std::vector<Loop>& around,
                                const std::string& state, std::string& problem) {
  for (const Loop& loop : around) {
    const std::string writer = writer_in(program, *loop.stmt, state);
    if (writer.empty()) return &loop;
    problem = "is changed in " + described(*loop.stmt) + ", by phase " + quoted(writer);
  }
  return nullptr;
}

/// What is in the way of a slice for the comparison; "" where nothing is, and `domain` is filled.
std::string problem_of(const ir::Program& program, const ir::Phase& phase,
                       const Comparison& comparison, SlicedDomain& domain) {
  const std::string& state = comparison.state->symbol;
  if (!has_order(comparison.state->type))
    return "is compared as " + to_string(comparison.state->type) + ", which is not counted by";
  const Runs runs(program, phase.name);
  if (runs.found().size() != 1) return "is asked for by several statements that run the phase";
  std::string problem = "is asked for in no loop";
  const Loop* const loop = loop_without_writer(program, runs.found().front(), state, problem);
  if (loop == nullptr) return problem;
  domain.state = state;
  domain.value = comparison.value->clone();
  domain.loop = loop->number;
  domain.reason = "nothing in " + described(*loop->stmt) + " changes " + quoted(state) + ", and " +
                  quoted(*comparison.value) + " is a value of the host level";
  return "";
}

/// `base + offset`.
struct Shifted {
  const Expr* base = nullptr;
  std::int64_t offset = 0;
};

Shifted shifted(const Expr& expr) {
  const bool adds = expr.op == Op::Add;
  if (!adds && expr.op != Op::Subtract) return {&expr, 0};
  for (const std::size_t side : {1U, 0U}) {
    const auto number = ir::integer_of(*expr.operands[side]);
    // A literal at the end of its type is no offset.
    if (!number || *number < -1000 || *number > 1000 || (!adds && side == 0)) continue;
    return {expr.operands[1 - side].get(), adds ? *number : -*number};
  }
  return {&expr, 0};
}

/// Finds reads of what the phase writes at vertices that may be of its slice.
class ReadsAtNeighbours {
 public:
  ReadsAtNeighbours(const ir::Phase& phase, const SlicedDomain& domain)
      : phase_(phase), domain_(domain), written_(ir::states_written(phase)) {}

  bool are_apart() {
    const auto look_at = [&](const ir::ExprPtr& expr) {
      if (expr) look(*expr);
    };
    look_at(phase_.guard);
    ir::for_each_stmt(phase_.body, [&](const Stmt& stmt) {
      look_at(stmt.value);
      look_at(stmt.condition);
      look_at(stmt.receiver);
    });
    return apart_;
  }

 private:
  void look(const Expr& expr) {
    if (expr.op == Op::State && written_.contains(expr.symbol))
      apart_ = apart_ && expr.operands.empty() &&
               (expr.vertex == phase_.variable || others_.contains(expr.vertex));
    if (expr.op != Op::ReduceNeighbours) {
      for (const ir::ExprPtr& operand : expr.operands)
        if (operand) look(*operand);
      return;
    }
    // Of the condition only what stands behind the comparison is asked of other slices alone.
    const bool known = others_.contains(expr.symbol);
    if (expr.operands.size() > 1 && expr.operands[1])
      for (const Expr* part : conjuncts(*expr.operands[1])) {
        look(*part);
        if (is_elsewhere(*part, expr.symbol)) others_.insert(expr.symbol);
      }
    if (expr.operands[0]) look(*expr.operands[0]);
    if (!known) others_.erase(expr.symbol);
    if (expr.operands.size() > 2 && expr.operands[2]) look(*expr.operands[2]);
  }

  /// Whether the conjunct says that `u` has another value than the slice.
  bool is_elsewhere(const Expr& part, const std::string& u) const {
    if (part.operands.size() != 2 || !ir::info(part.op).is_comparison()) return false;
    const auto is_key = [&](const Expr& e) { return ir::is_state_of(e, u, domain_.state); };
    const bool first = is_key(*part.operands[0]);
    if (!first && !is_key(*part.operands[1])) return false;
    const Shifted other = shifted(*part.operands[first ? 1 : 0]);
    const bool is_slice = ir::same(*other.base, *domain_.value) ||
                          ir::is_state_of(*other.base, phase_.variable, domain_.state);
    if (!is_slice) return false;
    // Whether the comparison fails where u is of the slice: 0 compared with the offset.
    const int order = other.offset > 0 ? -1 : other.offset < 0 ? 1 : 0;
    return !ir::holds(part.op, first ? order : -order);
  }

  const ir::Phase& phase_;
  const SlicedDomain& domain_;
  const std::set<std::string> written_;
  std::set<std::string> others_;  ///< vertices that are known to be of other slices
  bool apart_ = true;
};

}  // namespace

bool reads_other_slices(const ir::Phase& phase, const SlicedDomain& domain) {
  return ReadsAtNeighbours(phase, domain).are_apart();
}

SlicedDomain find_sliced_domain(const ir::Program& program, const ir::Phase& phase) {
  SlicedDomain domain;
  if (!phase.guard || phase.kind != ir::PhaseKind::Sweep) return domain;
  const ir::ExprPtr guard = inline_calls(program, *phase.guard);
  if (!guard) return domain;
  for (const Expr* part : conjuncts(*guard)) {
    const Comparison comparison = comparison_of(*part, phase.variable);
    if (comparison.state == nullptr) continue;
    const std::string problem = problem_of(program, phase, comparison, domain);
    if (problem.empty()) return domain;
    if (domain.reason.empty())
      domain.reason = quoted(comparison.state->symbol) + " " + problem +
                      ", so that no order of the vertices would last";
  }
  return domain;
}

ir::ExprPtr value_asked_of(const ir::Program& program, const Expr& condition,
                           const std::string& vertex, const std::string& state) {
  const ir::ExprPtr known = inline_calls(program, condition);
  if (!known) return nullptr;
  for (const Expr* part : conjuncts(*known)) {
    const Comparison comparison = comparison_of(*part, vertex);
    if (comparison.state != nullptr && comparison.state->symbol == state)
      return comparison.value->clone();
  }
  return nullptr;
}

}  // namespace vertigo::compiler::passes
