#include "compiler/passes/program/LaterWrites.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SentShapes.h"
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

bool is_own(const Expr& e, const std::string& vertex) {
  return e.op == Op::State && e.operands.empty() && e.vertex == vertex;
}

class Search {
 public:
  Search(ir::Program& program, const SearchFacts& facts, std::size_t which)
      : program_(program), facts_(facts), which_(which), phase_(program.phases[which]) {}

  bool run() {
    if (!is_plain()) return false;
    if (!visits_once() && !improves()) return false;
    rewrite();
    return true;
  }

 private:
  bool is_plain() {
    if (phase_.kind != ir::PhaseKind::Fixpoint || !phase_.guard || phase_.serializable ||
        phase_.assume_order_free)
      return false;
    const std::set<std::string> messages = ir::messages_of(phase_);
    if (messages.size() != 1 || !facts_.beginnings.empty(phase_.name, *messages.begin()))
      return false;
    message_ = program_.find_message(*messages.begin());
    update_ = evaluate_update(program_, phase_);
    runs_once_ = facts_.uses.runs_once(phase_.name);
    return !message_->keep && message_->type.is_scalar() && update_ && update_->guard &&
           !update_->sends.empty() && !ir::sends_to_one(phase_) && begins_known();
  }

  /// What the written states hold before, as far as it is known.
  bool begins_known() {
    for (const auto& [name, value] : update_->states)
      if (const Expr* const before = facts_.beginnings.literal(phase_.name, name))
        before_.emplace(name, before->clone());
    return !before_.empty();
  }

  Surroundings around() const { return {program_, phase_, message_->name}; }
  bool is_message(const Expr& e) const { return is_inbox(e, message_->name); }
  bool is_written(const Expr& e) const {
    return e.op == Op::State && update_->states.contains(e.symbol);
  }
  bool reads_written(const Expr& expr) const {
    return has_node(expr, [&](const Expr& e) { return is_written(e); });
  }
  /// Reads nothing that changes but the inbox.
  bool is_of_inbox(const Expr& expr) const {
    const ExprPtr rest = replaced(expr, [&](const Expr& e) -> ExprPtr {
      return is_message(e) ? message_->identity->clone() : nullptr;
    });
    return changing_read(*rest, around()).empty();
  }

  // -- A proved improvement, and functions of the inbox

  bool improves() {
    if (phase_.step_limit || update_->states.size() < 2) return false;
    const Proof whole = prove_improvement(around(), *update_);
    if (whole.targets.size() != 1 || !update_->states.contains(whole.targets[0])) return false;
    target_ = whole.targets[0];
    if (!before_.contains(target_) || !is_message(*update_->states.at(target_))) return false;
    for (auto& [name, value] : update_->states) {
      if (name == target_) continue;
      if (!is_of_inbox(*value)) return false;
      later_.emplace_back(name, value->clone());
    }
    SymbolicUpdate search;
    search.states.emplace(target_, update_->states.at(target_)->clone());
    search.guard = update_->guard->clone();
    for (const SymbolicSend& send : update_->sends) search.sends.push_back(copy(send));
    if (!prove_improvement(around(), search).held()) return false;
    guard_ = update_->guard->clone();
    for (const SymbolicSend& send : update_->sends) sends_.push_back(copy(send));
    return std::ranges::none_of(later_, [&](const auto& each) { return search_reads(each.first); });
  }
  static SymbolicSend copy(const SymbolicSend& send) {
    const auto clone = [](const ExprPtr& e) { return e ? e->clone() : nullptr; };
    return {send.stmt, clone(send.condition), clone(send.value), clone(send.filter), nullptr};
  }
  bool search_reads(const std::string& state) const {
    const auto has = [&](const ExprPtr& expr) {
      return expr &&
             has_node(*expr, [&](const Expr& e) { return e.op == Op::State && e.symbol == state; });
    };
    return has(guard_) || std::ranges::any_of(sends_, [&](const SymbolicSend& send) {
             return has(send.condition) || has(send.value) || has(send.filter);
           });
  }

  // -- Each vertex once

  bool visits_once() {
    if (message_->combine != Combine::Min || !ir::is_numeric(message_->type.scalar()) ||
        message_->type.scalar() == ir::ScalarKind::Wide64 || !starts_number() || !sends_steps())
      return false;
    if (!splits_guard() || !sends_plainly() || !finds_later()) return false;
    return changes_;
  }

  bool starts_number() {
    if (!starts_one_value(phase_)) return false;
    const Expr& value = *phase_.starts.front().body.front()->value;
    start_ = ir::integer_of(value);
    return value.op == Op::Literal && start_ && *start_ >= 0 && !is_extreme(value, true);
  }

  bool sends_steps() {
    for (const SymbolicSend& send : update_->sends) {
      const Expr& value = *send.value;
      if (value.op != Op::Add) return false;
      const unsigned inbox = is_message(*value.operands[0]) ? 0 : 1;
      const Expr& by = *value.operands[1 - inbox];
      const auto number = ir::integer_of(by);
      if (!is_message(*value.operands[inbox]) || by.op != Op::Literal || !number || *number <= 0 ||
          (step_ && *step_ != *number))
        return false;
      step_ = number;
    }
    return true;
  }

  /// An expression of an activation, which is the vertex' first one; null where it reads `step` and
  /// that is not known.
  ExprPtr at_visit(const Expr& expr) const {
    bool known = true;
    ExprPtr made = replaced(expr, [&](const Expr& e) -> ExprPtr {
      if (e.op == Op::Step) {
        known = known && *step_ == 1 && message_->type == ir::Type(ir::ScalarKind::Int32);
        if (*start_ == 0) return inbox_of(*message_, e.location);
        return operation(Op::Subtract, e.type, inbox_of(*message_, e.location),
                         int32_literal(*start_));
      }
      if (!is_own(e, phase_.variable)) return nullptr;
      const auto before = before_.find(e.symbol);
      return before == before_.end() ? nullptr : before->second->clone();
    });
    return known ? folded_expr(*made) : nullptr;
  }

  /// A condition that does not change, or holds of every better value.
  bool stays(const Expr& condition) const {
    if (!is_of_inbox(condition)) return false;
    const Trend moves = trend(condition, around());
    return moves == Trend::Constant || moves == Trend::Decreasing;
  }

  bool splits_guard() {
    bool asks = false;
    ExprPtr rest;
    for (const Expr* part : conjuncts(*update_->guard)) {
      if (is_improvement(*part)) {
        asks = true;
      } else if (is_unvisited(*part)) {
        asks = changes_ = true;
      } else if (!is_presence(*part)) {
        ExprPtr known = reads_written(*part) ? nullptr : at_visit(*part);
        if (known == nullptr || !stays(*known)) return false;
        rest = ir::both(std::move(rest), std::move(known));
      }
    }
    guard_ = std::move(rest);
    return asks;
  }
  /// `m < v.d`, where d begins with inf and takes the inbox.
  bool is_improvement(const Expr& part) {
    if (part.op != Op::Less && part.op != Op::Greater) return false;
    const unsigned less = part.op == Op::Less ? 0 : 1;
    const Expr& state = *part.operands[1 - less];
    return is_message(*part.operands[less]) && is_own(state, phase_.variable) &&
           holds_value(state.symbol);
  }
  bool holds_value(const std::string& name) const {
    const auto written = update_->states.find(name);
    const auto before = before_.find(name);
    return written != update_->states.end() && before != before_.end() &&
           program_.find_state(name)->type == message_->type && is_extreme(*before->second, true) &&
           is_message(*at_visit_or_self(*written->second));
  }
  ExprPtr at_visit_or_self(const Expr& value) const {
    ExprPtr known = at_visit(value);
    return known ? std::move(known) : value.clone();
  }
  /// Whoever is asked has a message.
  bool is_presence(const Expr& part) const {
    if (part.op != Op::NotEqual && part.op != Op::Less && part.op != Op::Greater) return false;
    const unsigned inbox = is_message(*part.operands[0]) ? 0 : 1;
    return is_message(*part.operands[inbox]) && is_extreme(*part.operands[1 - inbox], true) &&
           (part.op == Op::NotEqual || (part.op == Op::Less) == (inbox == 0));
  }
  /// Holds of what the state was, and of nothing that a visit gives it.
  bool is_unvisited(const Expr& part) const {
    const std::optional<bool> first = of_before(part, phase_.variable);
    if (first != true) return false;
    if (ir::boolean_of(*folded_expr(*after(part))) == false) return true;
    if (part.operands.size() != 2) return false;
    const bool left = is_own(*part.operands[0], phase_.variable);
    const Expr& mark = *part.operands[left ? 0 : 1];
    const Expr& other = *part.operands[left ? 1 : 0];
    if (!is_own(mark, phase_.variable) || !is_counted(mark.symbol)) return false;
    const auto number = ir::integer_of(other);
    if (part.op == Op::Equal) return is_extreme(other, true) || (number && *number < *start_);
    return part.op == (left ? Op::Less : Op::Greater) && number && *number <= *start_;
  }
  ExprPtr after(const Expr& part) const {
    return replaced(part, [&](const Expr& e) -> ExprPtr {
      if (!is_own(e, phase_.variable)) return nullptr;
      const auto written = update_->states.find(e.symbol);
      return written == update_->states.end() ? nullptr : at_visit_or_self(*written->second);
    });
  }
  /// A visit gives it the inbox, which is never less than the start, and never inf.
  bool is_counted(const std::string& name) const {
    const auto written = update_->states.find(name);
    return written != update_->states.end() && program_.find_state(name)->type == message_->type &&
           is_message(*at_visit_or_self(*written->second));
  }
  /// The condition on written states of `vertex` alone, before they are written.
  std::optional<bool> of_before(const Expr& part, const std::string& vertex) const {
    bool alone = true, any = false;
    const ExprPtr made = replaced(part, [&](const Expr& e) -> ExprPtr {
      if (!e.operands.empty() || e.op == Op::Literal || e.op == Op::Infinity ||
          e.op == Op::NoVertex)
        return nullptr;
      const auto before = before_.find(e.symbol);
      alone = alone && is_own(e, vertex) && is_written(e) && before != before_.end();
      any = true;
      return alone ? before->second->clone() : nullptr;
    });
    return alone && any ? ir::boolean_of(*folded_expr(*made)) : std::nullopt;
  }

  bool sends_plainly() {
    for (const SymbolicSend& send : update_->sends) {
      SymbolicSend made{send.stmt, nullptr, send.value->clone(), nullptr, nullptr};
      if (send.condition) {
        made.condition = at_visit(*send.condition);
        if (!made.condition || reads_written(*made.condition) || !stays(*made.condition))
          return false;
      }
      if (send.filter && !takes_filter(*send.filter, made)) return false;
      sends_.push_back(std::move(made));
    }
    return true;
  }
  bool takes_filter(const Expr& filter, SymbolicSend& made) {
    for (const Expr* part : conjuncts(filter)) {
      // Who was visited takes no second message.
      if (of_before(*part, made.stmt->neighbour) == true) {
        changes_ = true;
        continue;
      }
      ExprPtr known = at_visit(*part);
      if (!known || reads_written(*known) || !stays(*known)) return false;
      made.filter = ir::both(std::move(made.filter), std::move(known));
    }
    return true;
  }

  bool finds_later() {
    for (const auto& [name, value] : update_->states)
      if (target_.empty() && holds_value(name)) target_ = name;
    for (const auto& [name, value] : update_->states) {
      if (name == target_) continue;
      ExprPtr known = at_visit(*value);
      const bool plain =
          known && !has_node(*known, [&](const Expr& e) {
            return e.op == Op::ExternCall ||
                   (is_written(e) && (!is_own(e, phase_.variable) || e.symbol != name));
          });
      if (!plain) return false;
      changes_ = true;
      later_.emplace_back(name, std::move(known));
    }
    return true;
  }

  // -- Rewriting

  void rewrite() {
    const bool begins_anew = target_.empty();
    if (begins_anew) declare_state();
    const ir::State target = {target_, program_.find_state(target_)->type, nullptr, false, {}};
    const ExprPtr before = begins_anew ? infinity(target.type) : before_.at(target_)->clone();
    const ir::Location at = phase_.guard->location;
    if (!guard_ || !reads_target(*guard_))
      guard_ = ir::both(comparison(Op::Less, *inbox_of(*message_, at), *own(target, at)),
                        std::move(guard_));
    phase_.guard = std::move(guard_);
    std::vector<StmtPtr> body;
    body.push_back(assignment(target_, inbox_of(*message_, at), at));
    for (SymbolicSend& send : sends_) body.push_back(statement(send));
    std::vector<StmtPtr> rest = take_later(target);
    phase_.body = std::move(body);
    const std::string name = phase_.name, variable = phase_.variable;
    // Adding phases moves this one.
    if (begins_anew && !runs_once_) {
      std::vector<StmtPtr> reset;
      reset.push_back(assignment(target_, before->clone(), at));
      add_beside(name, name + "_begins", variable, nullptr, std::move(reset), false);
    }
    if (rest.empty()) return;
    add_beside(name, name + "_writes", variable,
               folded_expr(*comparison(Op::NotEqual, *state_of(target, variable, at), *before)),
               std::move(rest), true);
  }
  bool reads_target(const Expr& guard) const {
    return has_node(guard, [&](const Expr& e) { return e.op == Op::State && e.symbol == target_; });
  }
  ExprPtr own(const ir::State& state, ir::Location at) const {
    return state_of(state, phase_.variable, at);
  }

  void declare_state() {
    target_ = unused_name(program_, message_->name + "_taken");
    program_.states.push_back(
        {target_, message_->type, infinity(message_->type), false, message_->location});
  }
  static StmtPtr statement(SymbolicSend& send) {
    StmtPtr made = send.stmt->clone();
    made->value = std::move(send.value);
    made->condition = std::move(send.filter);
    if (!made->condition && !has_node(*made->value, [&](const Expr& e) {
          return !e.vertex.empty() && e.vertex == made->neighbour;
        }))
      made->neighbour.clear();
    if (!send.condition) return made;
    auto branch = std::make_unique<Stmt>();
    branch->kind = StmtKind::If;
    branch->location = made->location;
    branch->value = std::move(send.condition);
    branch->body.push_back(std::move(made));
    return branch;
  }

  /// The value that a vertex ends with is the inbox that it took last.
  std::vector<StmtPtr> take_later(const ir::State& target) {
    std::vector<StmtPtr> made;
    for (auto& [name, value] : later_)
      made.push_back(assignment(name,
                                replaced(*value,
                                         [&](const Expr& e) -> ExprPtr {
                                           return is_message(e) ? own(target, e.location) : nullptr;
                                         }),
                                phase_.location));
    return made;
  }

  void add_beside(const std::string& beside, const std::string& wanted, const std::string& variable,
                  ExprPtr guard, std::vector<StmtPtr> body, bool after) {
    const ir::Location at = program_.phases[which_].location;
    const std::string sweep =
        add_sweep(program_, wanted, variable, std::move(guard), std::move(body), at);
    run_beside(program_.body, beside, *run_of(sweep), after);
  }

  ir::Program& program_;
  const SearchFacts& facts_;
  std::size_t which_;
  ir::Phase& phase_;
  const ir::Message* message_ = nullptr;
  std::optional<SymbolicUpdate> update_;
  std::map<std::string, ExprPtr> before_;
  std::optional<std::int64_t> start_, step_;
  std::string target_;  ///< the state that is searched for; "" where it is still to be declared
  ExprPtr guard_;       ///< what it asks, or besides the improvement
  std::vector<SymbolicSend> sends_;
  std::vector<std::pair<std::string, ExprPtr>> later_;
  bool runs_once_ = true;
  bool changes_ = false;  ///< the phase is not the plain search already
};

}  // namespace

bool write_later(ir::Program& program, const SearchFacts& facts, std::size_t which) {
  return Search(program, facts, which).run();
}

}  // namespace vertigo::compiler::passes
