#include "compiler/passes/toplan/PhaseAnalysis.h"

#include <algorithm>

#include "compiler/passes/program/ExprProperties.h"
#include "compiler/passes/program/FallingChoice.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SentShapes.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "compiler/passes/toplan/ChooseCounts.h"

namespace vertigo::compiler::toplan {

using ir::Combine;
using ir::Expr;
using ir::Op;
using ir::Phase;
using ir::Program;
using ir::Stmt;
using ir::StmtKind;

bool mentions(const Expr& expr, Op op) {
  bool found = false;
  ir::walk(expr, [&](const Expr& e) { found = found || e.op == op; });
  return found;
}

namespace {

void substitute_identities(const Program& program, ir::ExprPtr& expr) {
  if (!expr) return;
  if (expr->op == Op::Inbox) {
    if (const ir::Message* message = program.find_message(expr->symbol))
      expr = message->identity->clone();
    return;
  }
  for (auto& operand : expr->operands) substitute_identities(program, operand);
}

class Analysis {
 public:
  Analysis(const plan::Plan& plan, const Phase& phase)
      : plan_(plan), program_(plan.program), uses_(plan.uses), phase_(phase) {
    result_.program = &program_;
    result_.phase = &phase;
  }

  PhaseAnalysis run(bool proved_order_free) {
    collect_messages();
    collect_states();
    find_absorption();
    look_around();
    result_.absorbs = result_.absorption == Absorption::Assigned && result_.alone;
    result_.uniform_cost =
        result_.absorbs && ir::algebra_of(phase_).uniform_cost.value && one_start_value();
    if (phase_.guard) result_.asking = find_asking(proved_order_free);
    return std::move(result_);
  }

 private:
  void collect_messages() {
    const std::set<std::string> read = ir::messages_read(phase_);
    const std::set<std::string> sent = ir::messages_sent(phase_);
    for (const ir::Message& message : program_.messages) {
      const bool is_read = read.contains(message.name);
      const bool is_sent = sent.contains(message.name);
      if (is_read) result_.read.push_back(message.name);
      if (is_sent) result_.sent.push_back(message.name);
    }
  }

  void collect_states() {
    result_.written = ir::states_written(phase_);
    for_each_expr(phase_, [&](const Expr& e) {
      if (e.op == Op::State && e.vertex != phase_.variable && result_.written.contains(e.symbol))
        result_.snapshots.insert(e.symbol);
    });
    std::set<std::string> written_edges;
    for_each_stmt(phase_.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::AssignEdge) written_edges.insert(stmt.symbol);
    });
    for_each_expr(phase_, [&](const Expr& e) {
      if (e.op != Op::CommonNeighbours || e.operands.size() < 3) return;
      ir::walk(*e.operands[2], [&](const Expr& chosen) {
        if (chosen.op == Op::EdgeAttribute && written_edges.contains(chosen.symbol))
          result_.edge_snapshots.insert(chosen.symbol);
      });
    });
    if (!result_.edge_snapshots.empty() && passes::keeps_counts(plan_) &&
        !passes::asks_lists(passes::find_falling_choice(program_), phase_))
      result_.edge_snapshots.clear();
    std::map<std::string, int> assignments;
    for_each_stmt(phase_.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::AssignState) ++assignments[stmt.symbol];
    });
    for (const ir::StmtPtr& stmt : phase_.body)
      if (stmt->kind == StmtKind::AssignState && stmt->value->op == Op::Inbox &&
          assignments[stmt->symbol] == 1)
        result_.state_of_inbox.emplace(stmt->value->symbol, stmt->symbol);
    for (const ir::StmtPtr& stmt : phase_.body)
      if (stmt->kind == StmtKind::AssignState && assignments[stmt->symbol] == 1)
        candidates_.push_back(stmt.get());
  }

  // `v.s = m` under `m < v.s`, the same of flags, or `v.s = v.s + m`, for the one message of the
  // phase.
  void find_absorption() {
    if (result_.read.size() != 1 || result_.sent != result_.read || !phase_.guard) return;
    const ir::Message& message = *program_.find_message(result_.read.front());
    for (const Stmt* stmt : candidates_) {
      const Absorption found = absorption_by(*stmt, message);
      if (found == Absorption::None) continue;
      result_.absorption = found;
      result_.message = message.name;
      result_.state = stmt->symbol;
      if (found != Absorption::Accumulated)
        result_.state_of_inbox.emplace(message.name, stmt->symbol);
      return;
    }
  }

  Absorption absorption_by(const Stmt& stmt, const ir::Message& message) const {
    const Expr& value = *stmt.value;
    if (gives_flag(value, message) && guard_is_flag(message, stmt.symbol))
      return Absorption::Assigned;
    if (passes::is_inbox(value, message.name)) return absorption_by_guard(message, stmt.symbol);
    if (message.combine != Combine::Sum || value.op != Op::Add) return Absorption::None;
    for (const std::size_t i : {0u, 1u})
      if (ir::is_state_of(*value.operands[i], phase_.variable, stmt.symbol) &&
          passes::is_inbox(*value.operands[1 - i], message.name))
        return Absorption::Accumulated;
    return Absorption::None;
  }

  // The value that an inbox of flags has where it is not empty.
  static bool gives_flag(const Expr& value, const ir::Message& message) {
    if (message.combine != Combine::Or && message.combine != Combine::And) return false;
    if (ir::combines_bits(message)) return false;
    const auto* flag = value.op == Op::Literal ? std::get_if<bool>(&value.value) : nullptr;
    return passes::is_inbox(value, message.name) ||
           (flag != nullptr && *flag == (message.combine == Combine::Or));
  }

  // `m && !v.s` (or), `!m && v.s` (and), in either order.
  bool guard_is_flag(const ir::Message& message, const std::string& state) const {
    const Expr& guard = *phase_.guard;
    if (guard.op != Op::And) return false;
    const bool raises = message.combine == Combine::Or;
    const auto stripped = [](const Expr& e, bool of_not) -> const Expr* {
      if (!of_not) return &e;
      return e.op == Op::Not ? e.operands[0].get() : nullptr;
    };
    for (const std::size_t i : {0u, 1u}) {
      const Expr* const inbox = stripped(*guard.operands[i], !raises);
      const Expr* const own = stripped(*guard.operands[1 - i], raises);
      if (inbox != nullptr && own != nullptr && passes::is_inbox(*inbox, message.name) &&
          ir::is_state_of(*own, phase_.variable, state))
        return true;
    }
    return false;
  }

  Absorption absorption_by_guard(const ir::Message& message, const std::string& state) const {
    const std::vector<const Expr*> parts = passes::conjuncts(*phase_.guard);
    const auto improves = [&](const Expr* part) {
      return is_improvement(*part, message, state, phase_.variable);
    };
    if (std::ranges::none_of(parts, improves)) return Absorption::None;
    if (parts.size() == 1) return Absorption::Assigned;
    Absorption found = Absorption::Bounded;
    for (const Expr* part : parts) {
      if (improves(part) || is_of_inbox(*part, message)) continue;
      found = Absorption::Chosen;
      if (!is_of_inbox_and_vertex(*part, message)) return Absorption::None;
    }
    return found;
  }

  // Reads the inbox and what is the same at all vertices.
  static bool is_of_inbox(const Expr& expr, const ir::Message& message) {
    if (!passes::is_constant(expr)) return false;
    bool alone = true;
    ir::walk(expr, [&](const Expr& e) {
      if (e.op == Op::Inbox) alone = alone && e.symbol == message.name;
      if (e.op == Op::Step || e.op == Op::EdgeAttribute || e.op == Op::Local) alone = false;
    });
    return alone;
  }

  // And the vertex, as far as the phase leaves it alone.
  bool is_of_inbox_and_vertex(const Expr& expr, const ir::Message& message) const {
    const ir::ExprPtr rest = passes::replaced(expr, [&](const Expr& e) -> ir::ExprPtr {
      return passes::is_inbox(e, message.name) ? message.identity->clone() : nullptr;
    });
    return read_that_changes(*rest, result_.written) == nullptr;
  }

  void look_around() {
    result_.runs_once = uses_.runs_once(phase_.name);
    result_.alone = uses_.alone(phase_);
  }

  Asking find_asking(bool proved_order_free) const {
    const Expr& guard = *phase_.guard;
    for (const Op op : {Op::Step, Op::Random, Op::ReduceNeighbours, Op::CommonNeighbours})
      if (mentions(guard, op)) return Asking::Pending;
    // An inbox that an earlier run left alone may be taken now, if what the guard reads changed, or
    // if a limit of steps ended that run.
    if (!result_.runs_once) {
      bool changes = !result_.alone || mentions(guard, Op::HostVariable);
      for (const std::string& message : result_.read)
        changes = changes || program_.find_message(message)->keep;
      ir::walk(guard, [&](const Expr& e) {
        if (e.op == Op::State)
          changes = changes || !uses_.other_writer(phase_.name, e.symbol).empty();
      });
      if (changes) return Asking::Pending;
    } else if (!result_.alone) {
      return Asking::Pending;
    }
    if (never_on_empty_inboxes(program_, guard)) return Asking::Guard;
    return proved_order_free && !phase_.assume_order_free ? Asking::NonEmpty : Asking::Pending;
  }

  // Breadth-first order needs that all starts put in the same value.
  bool one_start_value() const {
    const Expr* first = nullptr;
    bool same = true;
    for (const ir::Start& start : phase_.starts)
      for_each_stmt(start.body, [&](const Stmt& stmt) {
        if (stmt.kind != StmtKind::AssignInbox) return;
        if (stmt.value->op != Op::Literal && stmt.value->op != Op::Parameter) same = false;
        if (first != nullptr && !ir::same(*first, *stmt.value)) same = false;
        first = stmt.value.get();
      });
    return same && result_.runs_once;
  }

  const plan::Plan& plan_;
  const Program& program_;
  const ir::Uses& uses_;
  const Phase& phase_;
  PhaseAnalysis result_;
  std::vector<const Stmt*> candidates_;  // top-level assignments of states assigned once
};

}  // namespace

std::string problem_of_sharing(const PhaseAnalysis& phase) {
  if (!phase.runs_once) return "the phase runs more than once";
  if (!phase.alone) return "another phase writes its state, or sends or reads its message";
  return "";
}

std::string problem_of_assignment(const PhaseAnalysis& phase, Absorption most) {
  if (phase.written.empty()) return "the update writes no state";
  if (phase.written.size() > 1) return "the update writes more than one state";
  if (phase.sent.empty()) return "nothing is sent";
  if (phase.read.size() != 1 || phase.sent != phase.read)
    return "the phase does not read and send one message";
  if (phase.absorption == Absorption::Accumulated) return "the update adds the inbox to its state";
  if (phase.absorption == Absorption::None || phase.absorption > most)
    return "the update is more than to assign the inbox where it improves the state";
  return "";
}

bool is_improvement(const Expr& guard, const ir::Message& message, const std::string& state,
                    const std::string& vertex) {
  if (guard.op != Op::Less && guard.op != Op::Greater) return false;
  const bool inbox_first = passes::is_inbox(*guard.operands[0], message.name);
  const Expr& inbox = *guard.operands[inbox_first ? 0 : 1];
  const Expr& other = *guard.operands[inbox_first ? 1 : 0];
  if (!passes::is_inbox(inbox, message.name) || !ir::is_state_of(other, vertex, state))
    return false;
  const bool inbox_smaller = (guard.op == Op::Less) == inbox_first;
  // Sets of bits are in no such order.
  if (ir::combines_bits(message)) return false;
  const bool grows = message.combine == Combine::Max || message.combine == Combine::Or;
  const bool shrinks = message.combine == Combine::Min || message.combine == Combine::And;
  return inbox_smaller ? shrinks : grows;
}

const Expr* read_that_changes(const Expr& condition, const std::set<std::string>& written) {
  const Expr* found = nullptr;
  ir::walk(condition, [&](const Expr& e) {
    switch (e.op) {
      case Op::State:
        if (written.contains(e.symbol)) found = &e;
        return;
      case Op::Local:
      case Op::Inbox:
      case Op::Step:
      case Op::Call:
      case Op::ExternCall:
      case Op::Random:
      case Op::CommonNeighbours:
      case Op::ReduceNeighbours:
      case Op::ReduceCommon:
      case Op::ReduceVertices:
      case Op::Load:
      case Op::TestBit:
        found = &e;
        return;
      default:
        return;
    }
  });
  return found;
}

bool never_on_empty_inboxes(const Program& program, const Expr& condition) {
  ir::ExprPtr empty = condition.clone();
  substitute_identities(program, empty);
  empty = passes::folded_expr(*empty);
  const auto* holds = empty->op == Op::Literal ? std::get_if<bool>(&empty->value) : nullptr;
  return holds != nullptr && !*holds;
}

PhaseAnalysis analyse(const plan::Plan& plan, const Phase& phase, bool proved_order_free) {
  return Analysis(plan, phase).run(proved_order_free);
}

}  // namespace vertigo::compiler::toplan
