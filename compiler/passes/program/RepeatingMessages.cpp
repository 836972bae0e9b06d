#include "compiler/passes/program/RepeatingMessages.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/LaterWrites.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::ScalarKind;
using ir::Stmt;
using ir::StmtKind;

namespace {

/// Each is a choice by the level, made at every vertex that was reached.
constexpr std::size_t kMostValues = 16;

bool combines_to_itself(const ir::Message& message) {
  switch (message.combine) {
    case Combine::Min:
    case Combine::Max:
    case Combine::Or:
    case Combine::And:
    case Combine::Any:
      return true;
    default:
      return false;
  }
}

class Search {
 public:
  Search(ir::Program& program, const SearchFacts& facts, ir::Phase& phase)
      : program_(program), facts_(facts), phase_(phase) {}

  bool run() {
    if (!is_plain() || !finds_values() || !splits_guard()) return false;
    rewrite();
    return true;
  }

 private:
  bool is_plain() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard || phase_.serializable ||
        phase_.assume_order_free || ir::sends_to_one(phase_))
      return false;
    const std::set<std::string> messages = ir::messages_of(phase_);
    if (messages.size() != 1) return false;
    message_ = program_.messages.find(*messages.begin());
    if (message_->keep || !message_->type.is_scalar() || !combines_to_itself(*message_) ||
        !facts_.uses.belongs_to(phase_.name, message_->name) ||
        !facts_.beginnings.empty(phase_.name, message_->name))
      return false;
    update_ = evaluate_update(program_, phase_);
    return update_ && update_->guard && !update_->sends.empty() &&
           !prove_improvement({program_, phase_, message_->name}, *update_).held();
  }

  // -- What messages say, level by level

  /// The values from the start on, each once, and the number of the one that follows the last.
  bool finds_values() {
    for (const ir::Start& start : phase_.starts) {
      if (start.body.size() != 1 || start.body.front()->kind != StmtKind::AssignInbox ||
          (!values_.empty() && !ir::same(*values_.front(), *start.body.front()->value)))
        return false;
      if (values_.empty()) values_.push_back(start.body.front()->value->clone());
    }
    if (values_.empty() || !is_told(*values_.front())) return false;
    while (values_.size() <= kMostValues) {
      ExprPtr next = sent_by(*values_.back());
      if (next == nullptr || !is_told(*next)) return false;
      const auto known = std::ranges::find_if(
          values_, [&](const ExprPtr& value) { return ir::same(*value, *next); });
      if (known != values_.end()) {
        back_to_ = static_cast<std::size_t>(known - values_.begin());
        return true;
      }
      values_.push_back(std::move(next));
    }
    return false;
  }
  /// Whoever gets it is asked.
  bool is_told(const Expr& value) const {
    return value.op == Op::Literal && value.type == message_->type &&
           !ir::same(value, *message_->identity);
  }
  /// What all sends of a visit say that was told `value`; null where it is not known or not one.
  ExprPtr sent_by(const Expr& value) const {
    ExprPtr all;
    for (const SymbolicSend& send : update_->sends) {
      ExprPtr one = folded_expr(*at_visit(*send.value, value));
      if (all != nullptr && !ir::same(*all, *one)) return nullptr;
      all = std::move(one);
    }
    return all;
  }

  /// What a written state of the vertex holds before its visit; null of all else.
  const Expr* before(const Expr& e) const {
    if (e.op != Op::State || !e.operands.empty() || e.vertex != phase_.variable ||
        !update_->states.contains(e.symbol))
      return nullptr;
    return facts_.beginnings.literal(phase_.name, e.symbol);
  }
  ExprPtr at_visit(const Expr& expr, const Expr& told) const {
    return replaced(expr, [&](const Expr& e) -> ExprPtr {
      if (is_inbox(e, message_->name)) return told.clone();
      const Expr* const known = before(e);
      return known == nullptr ? nullptr : known->clone();
    });
  }

  // -- Who is active

  bool splits_guard() {
    std::vector<const Expr*> asked;
    for (const Expr* part : conjuncts(*update_->guard)) {
      if (is_of_marks(*part)) {
        asked.push_back(part);
      } else if (!holds_always(*part)) {
        if (!changing_read(*part, {program_, phase_, ""}).empty()) return false;
        rest_ = ir::both(std::move(rest_), part->clone());
      }
    }
    return std::ranges::all_of(asked, [&](const Expr* part) { return holds_before(*part); }) &&
           std::ranges::any_of(asked, [&](const Expr* part) { return finds_mark(*part, asked); });
  }
  /// Reads written states of the vertex, of which it is known what they begin with, and nothing
  /// else that is not known.
  bool is_of_marks(const Expr& part) const {
    bool alone = true, any = false;
    ir::walk(part, [&](const Expr& e) {
      if (!e.operands.empty() || e.op == Op::Literal || e.op == Op::Infinity ||
          e.op == Op::NoVertex)
        return;
      any = true;
      alone = alone && before(e) != nullptr;
    });
    return alone && any;
  }
  bool holds_before(const Expr& part) const {
    return ir::boolean_of(*folded_expr(*at_visit(part, *values_.front()))) == true;
  }
  /// Of everyone who has been told something.
  bool holds_always(const Expr& part) const {
    return std::ranges::all_of(values_, [&](const ExprPtr& value) {
      const ExprPtr of_inbox = replaced(part, [&](const Expr& e) -> ExprPtr {
        return is_inbox(e, message_->name) ? value->clone() : nullptr;
      });
      return ir::boolean_of(*folded_expr(*of_inbox)) == true;
    });
  }

  /// A state of `part` whose every value after a visit differs from the one before, where the
  /// guard does not hold of any either.
  bool finds_mark(const Expr& part, const std::vector<const Expr*>& asked) {
    ir::walk(part, [&](const Expr& e) {
      if (mark_ == nullptr && before(e) != nullptr && tells_visits(e)) mark_ = &e;
    });
    return mark_ != nullptr && std::ranges::all_of(values_, [&](const ExprPtr& value) {
             return std::ranges::any_of(asked, [&](const Expr* each) {
               return ir::boolean_of(*folded_expr(*after_visit(*each, *value))) == false;
             });
           });
  }
  bool tells_visits(const Expr& state) const {
    return std::ranges::all_of(values_, [&](const ExprPtr& value) {
      const ExprPtr same = comparison(Op::Equal, *after_visit(state, *value), *before(state));
      return ir::boolean_of(*folded_expr(*same)) == false;
    });
  }
  ExprPtr after_visit(const Expr& part, const Expr& told) const {
    return replaced(part, [&](const Expr& e) -> ExprPtr {
      return before(e) == nullptr ? nullptr : at_visit(*update_->states.at(e.symbol), told);
    });
  }

  // -- Rewriting

  void rewrite() {
    const ir::Location at = phase_.guard->location;
    phase_.guard =
        ir::both(folded_expr(*comparison(Op::Equal, *mark_, *before(*mark_))), std::move(rest_));
    const std::string name = message_->name;
    declare_message();
    const ExprPtr level = inbox_of(*message_, at), told = told_at(*level);
    for_each_expr(phase_.body, [&](const Stmt& stmt, ExprPtr& expr) {
      if (stmt.kind == StmtKind::Send && &expr == &stmt.value)
        expr = operation(Op::Add, message_->type, level->clone(), int32_literal(1));
      else
        expr = replaced(*expr, [&](const Expr& e) -> ExprPtr {
          return is_inbox(e, name) ? told->clone() : nullptr;
        });
    });
    for (ir::Start& start : phase_.starts) start.body.front()->value = int32_literal(0);
  }
  void declare_message() {
    message_->type = ScalarKind::Int32;
    message_->combine = Combine::Min;
    message_->identity = infinity(message_->type);
  }

  /// Those before the values repeat by their level, the others by what is left of it.
  ExprPtr told_at(const Expr& level) const {
    const std::size_t period = values_.size() - back_to_;
    ExprPtr turn = level.clone();
    if (back_to_ != 0)
      turn = operation(Op::Subtract, level.type, std::move(turn), number(back_to_));
    if (period > 1) turn = operation(Op::Modulo, level.type, std::move(turn), number(period));
    ExprPtr made = values_.back()->clone();
    for (std::size_t i = values_.size() - 1; i-- > 0;)
      made = i >= back_to_ ? chosen(*turn, i - back_to_, *values_[i], std::move(made))
                           : chosen(level, i, *values_[i], std::move(made));
    return made;
  }
  static ExprPtr number(std::size_t value) {
    return int32_literal(static_cast<std::int64_t>(value));
  }
  static ExprPtr chosen(const Expr& which, std::size_t is, const Expr& value, ExprPtr otherwise) {
    return selection(comparison(Op::Equal, which, *number(is)), value.clone(),
                     std::move(otherwise));
  }

  ir::Program& program_;
  const SearchFacts& facts_;
  ir::Phase& phase_;
  ir::Message* message_ = nullptr;
  std::optional<SymbolicUpdate> update_;
  std::vector<ExprPtr> values_;  ///< what messages say, by level
  std::size_t back_to_ = 0;      ///< the one that they say after the last
  const Expr* mark_ = nullptr;   ///< a state that tells who was visited
  ExprPtr rest_;                 ///< what the guard asks besides
};

}  // namespace

bool rewrite_repeating_messages(ir::Program& program, const SearchFacts& facts, ir::Phase& phase) {
  return Search(program, facts, phase).run();
}

}  // namespace vertigo::compiler::passes
