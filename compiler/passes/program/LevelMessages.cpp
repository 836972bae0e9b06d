#include "compiler/passes/program/LevelMessages.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/Ranges.h"
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

bool same(const ExprPtr& a, const ExprPtr& b) { return a && b ? ir::same(*a, *b) : !a && !b; }

class Search {
 public:
  Search(const ir::Program& program, const ir::Beginnings& beginnings, ir::Phase& phase)
      : program_(program), beginnings_(beginnings), phase_(phase) {}

  bool run() {
    if (!is_plain() || !finds_levels() || !finds_companion() || !splits_guard()) return false;
    rewrite();
    return true;
  }

 private:
  bool is_plain() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard || phase_.serializable ||
        phase_.assume_order_free || ir::sends_to_one(phase_))
      return false;
    messages_ = ir::messages_of(phase_);
    if (messages_.size() < 2) return false;
    const bool known = std::ranges::all_of(messages_, [&](const std::string& name) {
      return !program_.find_message(name)->keep && beginnings_.empty(phase_.name, name);
    });
    if (!known) return false;
    update_ = evaluate_update(program_, phase_);
    return update_ && update_->guard;
  }

  // -- Messages

  /// What a start puts into the inbox; null where it puts nothing, or that more than once.
  static const Expr* started(const ir::Start& start, const std::string& message) {
    const Expr* found = nullptr;
    for (const StmtPtr& stmt : start.body) {
      if (stmt->kind != StmtKind::AssignInbox) return nullptr;
      if (stmt->symbol != message) continue;
      if (found != nullptr) return nullptr;
      found = stmt->value.get();
    }
    return found;
  }
  template <class Holds>
  bool all_starts(const std::string& message, const Holds& holds) const {
    return !phase_.starts.empty() &&
           std::ranges::all_of(phase_.starts, [&](const ir::Start& start) {
             const Expr* const value = started(start, message);
             return value != nullptr && holds(*value);
           });
  }
  template <class Holds>
  bool all_sends(const std::string& message, const Holds& holds) const {
    return std::ranges::all_of(update_->sends, [&](const SymbolicSend& send) {
      return send.stmt->symbol != message || holds(send);
    });
  }

  bool finds_levels() {
    for (const std::string& name : messages_)
      if (levels_.empty() && says_level(name)) levels_ = name;
    return !levels_.empty();
  }
  bool says_level(const std::string& name) const {
    const ir::Message& message = *program_.find_message(name);
    if (message.combine != Combine::Min || message.type != ir::Type(ir::ScalarKind::Int32))
      return false;
    const auto is_next = [&](const SymbolicSend& send) {
      const Expr& value = *send.value;
      if (value.op != Op::Add) return false;
      const unsigned inbox = is_inbox(*value.operands[0], name) ? 0 : 1;
      return is_inbox(*value.operands[inbox], name) && is_one(*value.operands[1 - inbox]);
    };
    return all_starts(name, [](const Expr& value) { return ir::integer_of(value) == 0; }) &&
           ir::messages_sent(phase_).contains(name) && all_sends(name, is_next);
  }

  /// A message that goes wherever levels go, and always says something. No other goes elsewhere.
  bool finds_companion() {
    for (const std::string& name : messages_) {
      if (name == levels_) continue;
      if (!goes_along(name, levels_)) return false;
      if (companion_.empty() && goes_along(levels_, name) && says_something(name))
        companion_ = name;
    }
    return !companion_.empty();
  }
  /// Whoever is sent `message` is sent `other`.
  bool goes_along(const std::string& message, const std::string& other) const {
    return all_sends(message, [&](const SymbolicSend& one) {
      return std::ranges::any_of(update_->sends, [&](const SymbolicSend& send) {
        return send.stmt->symbol == other && send.stmt->direction == one.stmt->direction &&
               send.stmt->neighbour == one.stmt->neighbour && same(send.condition, one.condition) &&
               same(send.filter, one.filter);
      });
    });
  }
  bool says_something(const std::string& name) const {
    const ir::Message& message = *program_.find_message(name);
    if (!message.type.is_scalar()) return false;
    const auto says = [&](const Expr& value) { return is_never_empty(value, message); };
    return all_starts(name, says) &&
           all_sends(name, [&](const SymbolicSend& send) { return says(*send.value); });
  }
  /// Neither it is what an empty inbox holds, nor what it combines to.
  bool is_never_empty(const Expr& value, const ir::Message& message) const {
    switch (message.combine) {
      case Combine::Sum:
        // Positive numbers add up to one that is. Integers wrap around.
        return ir::is_float(message.type.scalar()) &&
               (is_inbox(value, message.name) ||
                (value.op == Op::Literal && range_of(value, {program_, phase_, ""}).low > 0));
      case Combine::Min:
      case Combine::Max:
      case Combine::Or:
      case Combine::And:
      case Combine::Any:
        return is_inbox(value, message.name) || is_vertex(value) ||
               (value.op == Op::Literal && !ir::same(value, *message.identity));
      default:
        return false;
    }
  }
  /// Not none.
  static bool is_vertex(const Expr& value) {
    return value.type == ir::Type(ir::ScalarKind::Vertex) &&
           (value.op == Op::BoundVertex || value.op == Op::Parameter);
  }

  // -- Guard

  bool splits_guard() {
    bool asks = false;
    for (const Expr* part : conjuncts(*update_->guard)) {
      ExprPtr kept;
      if (ExprPtr unvisited = unvisited_by(*part)) {
        asks = true;
        kept = std::move(unvisited);
      } else if (!says_arrived(*part)) {
        if (!changing_read(*part, {program_, phase_, ""}).empty()) return false;
        kept = part->clone();
      }
      guard_ = ir::both(std::move(guard_), std::move(kept));
    }
    return asks;
  }
  bool is_level(const Expr& e) const { return is_inbox(e, levels_); }
  const Expr* before(const Expr& e) const {
    if (e.op != Op::State || !e.operands.empty() || e.vertex != phase_.variable ||
        !update_->states.contains(e.symbol))
      return nullptr;
    return beginnings_.literal(phase_.name, e.symbol);
  }
  /// A visit gives it the level.
  bool takes_level(const Expr& e) const {
    return before(e) != nullptr && is_level(*update_->states.at(e.symbol));
  }

  /// The condition without the level where it holds of a vertex before its visit, and never after;
  /// else null.
  ExprPtr unvisited_by(const Expr& part) const {
    if (part.operands.size() == 2) {
      const bool less = part.op == Op::Less;
      const Expr &level = *part.operands[less ? 0 : 1], &state = *part.operands[less ? 1 : 0];
      if ((less || part.op == Op::Greater) && is_level(level) && takes_level(state) &&
          is_extreme(*before(state), true))
        return comparison(Op::Equal, state, *before(state));
    }
    bool alone = true;
    const auto with = [&](const auto& value_of) {
      return replaced(part, [&](const Expr& e) -> ExprPtr {
        if (!e.operands.empty() || e.op == Op::Literal || e.op == Op::Infinity ||
            e.op == Op::NoVertex)
          return nullptr;
        alone = alone && before(e) != nullptr;
        return before(e) == nullptr ? nullptr : value_of(e);
      });
    };
    const ExprPtr first = with([&](const Expr& e) { return before(e)->clone(); });
    if (!alone || ir::boolean_of(*folded_expr(*first)) != true) return nullptr;
    const ExprPtr after =
        folded_expr(*with([&](const Expr& e) { return update_->states.at(e.symbol)->clone(); }));
    return ir::boolean_of(*after) == false || is_of_no_level(*after) ? part.clone() : nullptr;
  }
  /// A level is 0 and more, and never comes to inf.
  bool is_of_no_level(const Expr& part) const {
    if (part.operands.size() != 2) return false;
    const bool left = is_level(*part.operands[0]);
    if (!left && !is_level(*part.operands[1])) return false;
    const Expr& other = *part.operands[left ? 1 : 0];
    const auto number = ir::integer_of(other);
    if (part.op == Op::Equal) return is_extreme(other, true) || (number && *number < 0);
    return part.op == (left ? Op::Less : Op::Greater) && number && *number <= 0;
  }

  /// Whoever is asked has a level, and a message beside it.
  bool says_arrived(const Expr& part) const {
    if (part.operands.size() != 2) return false;
    const unsigned side = part.operands[0]->op == Op::Inbox ? 0 : 1;
    const Expr &inbox = *part.operands[side], &other = *part.operands[1 - side];
    const bool is_less = part.op == (side == 0 ? Op::Less : Op::Greater);
    const bool is_more = part.op == (side == 0 ? Op::Greater : Op::Less);
    if (is_level(inbox)) return (is_less || part.op == Op::NotEqual) && is_extreme(other, true);
    if (!is_inbox(inbox, companion_)) return false;
    const ir::Message& message = *program_.find_message(companion_);
    return (part.op == Op::NotEqual || (is_more && message.combine == Combine::Sum)) &&
           ir::same(other, *message.identity);
  }

  // -- Rewriting

  void rewrite() {
    phase_.guard = std::move(guard_);
    for (ir::Start& start : phase_.starts)
      std::erase_if(start.body, [&](const StmtPtr& stmt) { return stmt->symbol == levels_; });
    rewrite(phase_.body);
  }
  void rewrite(std::vector<StmtPtr>& body) {
    for (const StmtPtr& stmt : body) {
      for (ExprPtr* expr : {&stmt->value, &stmt->condition})
        if (*expr) *expr = with_step(**expr);
      rewrite(stmt->body);
      rewrite(stmt->otherwise);
    }
    std::erase_if(body, [&](const StmtPtr& stmt) {
      return (stmt->kind == StmtKind::Send && stmt->symbol == levels_) ||
             (stmt->kind == StmtKind::If && stmt->body.empty() && stmt->otherwise.empty());
    });
  }
  ExprPtr with_step(const Expr& expr) const {
    return replaced(expr, [&](const Expr& e) -> ExprPtr {
      return is_level(e) ? leaf(Op::Step, e.type, e.location) : nullptr;
    });
  }

  const ir::Program& program_;
  const ir::Beginnings& beginnings_;
  ir::Phase& phase_;
  std::set<std::string> messages_;
  std::optional<SymbolicUpdate> update_;
  std::string levels_, companion_;
  ExprPtr guard_;
};

}  // namespace

bool leave_out_levels(const ir::Program& program, const ir::Beginnings& beginnings,
                      ir::Phase& phase) {
  return Search(program, beginnings, phase).run();
}

}  // namespace vertigo::compiler::passes
