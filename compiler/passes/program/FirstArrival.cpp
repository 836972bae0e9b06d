#include "compiler/passes/program/FirstArrival.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/Ranges.h"
#include "compiler/passes/program/SentShapes.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Stmt;
using ir::StmtKind;

namespace {

class Search {
 public:
  Search(const ir::Program& program, const ir::Beginnings& beginnings, const ir::Phase& phase)
      : program_(program), beginnings_(beginnings), phase_(phase) {}

  ExprPtr run() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard || phase_.serializable ||
        phase_.assume_order_free || !find_guard() || !begins_alike() || !takes_inbox())
      return nullptr;
    const bool same = std::all_of(phase_.body.begin() + 1, phase_.body.end(),
                                  [&](const ir::StmtPtr& stmt) { return sends_alike(*stmt); });
    if (!same) return nullptr;
    ExprPtr guard = phase_.guard->clone_without_operands();
    guard->op = Op::Less;
    guard->type = ir::Type(ir::ScalarKind::Bool);
    guard->operands.push_back(inbox_->clone());
    guard->operands.push_back(state_->clone());
    return guard;
  }

 private:
  /// `v.d == inf`, and perhaps `m != inf`: a message is there wherever one is read, if all starts
  /// put a number into inboxes.
  bool find_guard() {
    const std::vector<const Expr*> parts = conjuncts(*phase_.guard);
    for (const Expr* part : parts) {
      if (part->op != Op::Equal && part->op != Op::NotEqual) return false;
      const unsigned end = is_extreme(*part->operands[1], true) ? 1 : 0;
      if (!is_extreme(*part->operands[end], true)) return false;
      const Expr& asked = *part->operands[1 - end];
      if (part->op == Op::Equal && ir::is_state_of(asked, phase_.variable)) state_ = &asked;
      if (part->op == Op::NotEqual && asked.op == Op::Inbox) inbox_ = &asked;
    }
    if (parts.size() == 1 && starts_number()) inbox_ = first_value();
    return parts.size() <= 2 && state_ != nullptr && inbox_ != nullptr &&
           state_->type == inbox_->type && state_->type.is_scalar() &&
           ir::is_numeric(state_->type.scalar()) && !ir::is_float(state_->type.scalar());
  }

  bool starts_number() const {
    return starts_one_value(phase_) && phase_.starts.front().body.front()->value->op == Op::Literal;
  }
  /// The inbox that the body takes first of all.
  const Expr* first_value() const {
    const Expr* const value = phase_.body.empty() ? nullptr : phase_.body.front()->value.get();
    return value != nullptr && value->op == Op::Inbox ? value : nullptr;
  }

  bool begins_alike() const {
    const ir::Uses uses(program_);
    const ir::State& state = *program_.find_state(state_->symbol);
    const bool alone = std::ranges::all_of(program_.phases, [&](const ir::Phase& other) {
      return &other == &phase_ || !ir::states_written(other).contains(state.name);
    });
    return alone && uses.runs_once(phase_.name) && beginnings_.empty(phase_.name, inbox_->symbol) &&
           program_.find_message(inbox_->symbol)->combine == ir::Combine::Min && !state.is_input &&
           is_extreme(*state.initial, true) && starts_one_value(phase_);
  }

  bool takes_inbox() const {
    if (phase_.body.empty()) return false;
    const Stmt& first = *phase_.body.front();
    return first.kind == StmtKind::AssignState && first.symbol == state_->symbol &&
           ir::same(*first.value, *inbox_);
  }

  /// What it sends is one function of the inbox, and it does not write the state again.
  bool sends_alike(const Stmt& stmt) {
    const auto all = [&](const std::vector<ir::StmtPtr>& body) {
      return std::ranges::all_of(body, [&](const ir::StmtPtr& each) { return sends_alike(*each); });
    };
    switch (stmt.kind) {
      case StmtKind::If:
        return all(stmt.body) && all(stmt.otherwise);
      case StmtKind::AssignState:
        return stmt.symbol != state_->symbol;
      case StmtKind::Send:
        return stmt.symbol != inbox_->symbol || is_step(*stmt.value);
      default:
        return false;
    }
  }
  /// The inbox plus a constant, the same at all sends.
  bool is_step(const Expr& value) {
    const auto is_taken = [&](const Expr& e) {
      return ir::same(e, *inbox_) || ir::same(e, *state_);
    };
    const Expr* step = nullptr;
    if (value.op == Op::Add)
      for (const unsigned side : {0u, 1u})
        if (is_taken(*value.operands[side])) step = value.operands[1 - side].get();
    if (step == nullptr && !is_taken(value)) return false;
    if (step != nullptr && (step->op != Op::Literal || literal(*step) <= 0)) return false;
    const double by = step == nullptr ? 0 : literal(*step);
    const bool same = step_ < 0 || step_ == by;
    step_ = by;
    return same;
  }
  double literal(const Expr& e) const { return range_of(e, {program_, phase_}).low; }

  const ir::Program& program_;
  const ir::Beginnings& beginnings_;
  const ir::Phase& phase_;
  const Expr* state_ = nullptr;
  const Expr* inbox_ = nullptr;
  double step_ = -1;  ///< what sends add; negative: none was seen
};

}  // namespace

ExprPtr guard_by_improvement(const ir::Program& program, const ir::Beginnings& beginnings,
                             const ir::Phase& phase) {
  return Search(program, beginnings, phase).run();
}

}  // namespace vertigo::compiler::passes
