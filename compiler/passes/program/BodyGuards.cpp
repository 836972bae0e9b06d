#include "compiler/passes/program/BodyGuards.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

namespace {

/// The one message of a phase that may keep what its guard does not take; null where it has none.
const ir::Message* searching_message(const ir::Program& program, const ir::Phase& phase) {
  if (phase.kind != ir::PhaseKind::Fixpoint || !phase.guard || phase.serializable ||
      phase.assume_order_free)
    return nullptr;
  const std::set<std::string> messages = ir::messages_of(phase);
  if (messages.size() != 1) return nullptr;
  const ir::Message* const message = program.find_message(*messages.begin());
  const bool is_bool = message->type == ir::Type(ir::ScalarKind::Bool);
  const bool improves =
      message->combine == Combine::Min || message->combine == Combine::Max ||
      (is_bool && (message->combine == Combine::Or || message->combine == Combine::And));
  return improves && !message->keep ? message : nullptr;
}

class Body {
 public:
  Body(const ir::Program& program, ir::Phase& phase) : program_(program), phase_(phase) {}

  bool run(const std::function<bool()>& is_search) {
    message_ = searching_message(program_, phase_);
    if (message_ == nullptr || !all_enter() || !is_one_branch()) return false;
    ExprPtr guard = phase_.guard->clone();
    std::vector<StmtPtr> body;
    for (const StmtPtr& stmt : phase_.body) body.push_back(stmt->clone());
    move_condition();
    // What improves a state is a message.
    ExprPtr all = ir::both(guard->clone(), phase_.guard->clone());
    leave_out_improvements(program_, phase_);
    if (improves(program_, phase_)) return true;
    phase_.guard = std::move(all);
    if (is_search()) return true;
    phase_.guard = std::move(guard);
    phase_.body = std::move(body);
    return false;
  }

 private:
  bool is_message(const Expr& e) const { return is_inbox(e, message_->name); }

  /// The guard asks whether there is a message.
  bool all_enter() const {
    const std::vector<const Expr*> parts = conjuncts(*phase_.guard);
    return std::ranges::all_of(parts, [&](const Expr* part) { return is_presence(*part); });
  }
  bool is_presence(const Expr& part) const {
    if (message_->combine == Combine::Or) return is_message(part);
    if (message_->combine == Combine::And)
      return part.op == Op::Not && is_message(*part.operands[0]);
    if (part.operands.size() != 2) return false;
    const unsigned inbox = is_message(*part.operands[0]) ? 0 : 1;
    const bool less = message_->combine == Combine::Min;
    if (!is_message(*part.operands[inbox]) || !is_extreme(*part.operands[1 - inbox], less))
      return false;
    return part.op == Op::NotEqual || part.op == ((less == (inbox == 0)) ? Op::Less : Op::Greater);
  }

  bool is_one_branch() const {
    if (phase_.body.empty()) return false;
    const Stmt& last = *phase_.body.back();
    return last.kind == StmtKind::If && last.otherwise.empty() &&
           std::all_of(phase_.body.begin(), phase_.body.end() - 1,
                       [](const StmtPtr& stmt) { return stmt->kind == StmtKind::Let; });
  }

  void move_condition() {
    std::map<std::string, ExprPtr> lets;
    const auto written_out = [&](const Expr& expr) {
      return replaced(expr, [&](const Expr& e) -> ExprPtr {
        const auto let = e.op == Op::Local ? lets.find(e.symbol) : lets.end();
        return let == lets.end() ? nullptr : let->second->clone();
      });
    };
    for (const StmtPtr& stmt : phase_.body)
      if (stmt->kind == StmtKind::Let) lets[stmt->symbol] = written_out(*stmt->value);
    StmtPtr branch = std::move(phase_.body.back());
    phase_.body.pop_back();
    phase_.guard = folded_expr(*written_out(*branch->value));
    for (StmtPtr& stmt : branch->body) phase_.body.push_back(std::move(stmt));
  }

  const ir::Program& program_;
  ir::Phase& phase_;
  const ir::Message* message_ = nullptr;
};

/// The state that the guard asks to be improved, and that takes the inbox; "" where there is none.
std::string improved_state(const ir::Program& program, const ir::Phase& phase,
                           const ir::Message& message) {
  const std::optional<SymbolicUpdate> update = evaluate_update(program, phase);
  if (!update || !update->guard) return "";
  const Op better = message.combine == Combine::Min ? Op::Less : Op::Greater;
  const Op worse = better == Op::Less ? Op::Greater : Op::Less;
  for (const Expr* part : conjuncts(*update->guard)) {
    if (part->op != better && part->op != worse) continue;
    const unsigned inbox = part->op == better ? 0 : 1;
    const Expr& state = *part->operands[1 - inbox];
    if (!is_inbox(*part->operands[inbox], message.name) || state.op != Op::State ||
        state.vertex != phase.variable)
      continue;
    const auto written = update->states.find(state.symbol);
    if (written != update->states.end() && is_inbox(*written->second, message.name))
      return state.symbol;
  }
  return "";
}

/// Whether `part` is `value < u.state`, or `<=`; the other way round where more is better.
bool asks_improvement(const Expr& part, const Expr& value, const std::string& neighbour,
                      const std::string& state, bool less) {
  if (part.operands.size() != 2 || !ir::info(part.op).is_comparison()) return false;
  const bool smaller_first = part.op == Op::Less || part.op == Op::LessEqual;
  const bool larger_first = part.op == Op::Greater || part.op == Op::GreaterEqual;
  if (!smaller_first && !larger_first) return false;
  const unsigned sent = smaller_first == less ? 0 : 1;
  const Expr& held = *part.operands[1 - sent];
  return ir::same(*part.operands[sent], value) && ir::is_state_of(held, neighbour, state);
}

}  // namespace

bool improves(const ir::Program& program, const ir::Phase& phase) {
  const std::optional<SymbolicUpdate> update = evaluate_update(program, phase);
  const std::set<std::string> messages = ir::messages_of(phase);
  return update && update->guard && messages.size() == 1 &&
         prove_improvement({program, phase, *messages.begin()}, *update).held();
}

bool guard_by_body(const ir::Program& program, ir::Phase& phase,
                   const std::function<bool()>& is_search) {
  return Body(program, phase).run(is_search);
}

void leave_out_improvements(const ir::Program& program, ir::Phase& phase) {
  const ir::Message* const message = searching_message(program, phase);
  if (message == nullptr || (message->combine != Combine::Min && message->combine != Combine::Max))
    return;
  const std::string state = improved_state(program, phase, *message);
  if (state.empty()) return;
  ir::for_each_stmt(phase.body, [&](Stmt& stmt) {
    if (stmt.kind != StmtKind::Send || !stmt.condition) return;
    ExprPtr rest;
    for (const Expr* part : conjuncts(*stmt.condition))
      if (!asks_improvement(*part, *stmt.value, stmt.neighbour, state,
                            message->combine == Combine::Min))
        rest = ir::both(std::move(rest), part->clone());
    stmt.condition = std::move(rest);
    const auto names_receiver = [&](const Expr& e) { return e.vertex == stmt.neighbour; };
    if (!stmt.condition && !has_node(*stmt.value, names_receiver)) stmt.neighbour.clear();
  });
}

}  // namespace vertigo::compiler::passes
