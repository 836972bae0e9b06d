#include "compiler/passes/program/PlainSearch.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/ir/program/OpRules.h"
#include "compiler/ir/program/Uses.h"
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
using ir::StmtKind;

namespace {

/// `step` counts them in 31 bits, and no graph has a path of nearly as many vertices.
constexpr double kMostLevels = 2147483648.0 - 1048576.0;

class Finder {
 public:
  Finder(const ir::Program& program, const SearchFacts& facts, const ir::Phase& phase)
      : program_(program), facts_(facts), phase_(phase) {}

  std::optional<PlainSearch> run() {
    if (!is_plain()) return std::nullopt;
    if (!visits_once()) {
      // What an attempt found on its way is not the next one's.
      found_ = {};
      if (!improves()) return std::nullopt;
    }
    found_.message = message_;
    if (!found_.target.empty()) found_.before = before_.at(found_.target)->clone();
    if (!found_.before) found_.before = message_->identity->clone();
    return std::move(found_);
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
    return !message_->keep && update_ && update_->guard && !update_->sends.empty() &&
           !ir::sends_to_one(phase_) && begins_known();
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
  bool is_tuple() const { return message_->type.is_tuple(); }
  bool is_element(const Expr& e, unsigned index) const {
    return is_element_of_inbox(e, message_->name, index);
  }
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
    if (whole.targets.size() > 1) return whole.held() && improves_elements(whole.targets);
    if (whole.targets.empty() || !update_->states.contains(whole.targets[0])) return false;
    found_.target = whole.targets[0];
    if (!before_.contains(found_.target) || !is_message(*update_->states.at(found_.target)))
      return false;
    for (auto& [name, value] : update_->states) {
      if (name == found_.target) continue;
      if (!is_of_inbox(*value)) return false;
      found_.later.emplace_back(name, value->clone());
    }
    SymbolicUpdate search;
    search.states.emplace(found_.target, update_->states.at(found_.target)->clone());
    search.guard = update_->guard->clone();
    for (const SymbolicSend& send : update_->sends) search.sends.push_back(copy(send));
    if (!prove_improvement(around(), search).held()) return false;
    found_.guard = update_->guard->clone();
    for (const SymbolicSend& send : update_->sends) found_.sends.push_back(copy(send));
    return std::ranges::none_of(found_.later,
                                [&](const auto& each) { return search_reads(each.first); });
  }
  /// The elements of a tuple are kept in as many states: the search gets one for all of them.
  bool improves_elements(const std::vector<std::string>& targets) {
    found_.before = leaf(Op::MakeTuple, message_->type);
    for (const std::string& target : targets) {
      const auto before = before_.find(target);
      if (before == before_.end()) return false;
      found_.before->operands.push_back(before->second->clone());
    }
    for (const Expr* part : conjuncts(*update_->guard))
      if (!is_improvement(*part)) found_.guard = ir::both(std::move(found_.guard), part->clone());
    for (const SymbolicSend& send : update_->sends) found_.sends.push_back(copy(send));
    for (const auto& [name, value] : update_->states) {
      if (!is_of_inbox(*value) || search_reads(name)) return false;
      found_.later.emplace_back(name, value->clone());
    }
    return true;
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
    return has(found_.guard) || std::ranges::any_of(found_.sends, [&](const SymbolicSend& send) {
             return has(send.condition) || has(send.value) || has(send.filter);
           });
  }

  // -- Each vertex once

  bool visits_once() {
    const ir::ScalarKind kind = message_->type.elements[0];
    if (message_->combine != Combine::Min || !ir::is_numeric(kind) ||
        kind == ir::ScalarKind::Wide64 || !starts_number() || !sends_steps() || !ends_below_inf())
      return false;
    if (!splits_guard() || !sends_plainly() || !finds_later()) return false;
    return changes_;
  }

  /// What says how far a vertex is from the start: the message, or its first element.
  bool is_level(const Expr& e) const { return is_tuple() ? is_element(e, 0) : is_message(e); }
  ExprPtr level(ir::Location at) const {
    ExprPtr inbox = inbox_of(*message_, at);
    return is_tuple() ? element_of(std::move(inbox), 0) : std::move(inbox);
  }
  bool has_type_of_level(const std::string& state) const {
    return program_.find_state(state)->type == ir::Type(message_->type.elements[0]);
  }
  /// Of a value that is put into inboxes or sent; null where it cannot be told.
  const Expr* level_of(const Expr& value) const {
    if (!is_tuple()) return &value;
    return value.op == Op::MakeTuple ? value.operands[0].get() : nullptr;
  }

  bool starts_number() {
    for (const ir::Start& start : phase_.starts) {
      // Who is started without a value has an empty inbox.
      if (start.body.size() != 1 || start.body.front()->kind != StmtKind::AssignInbox) return false;
      const Expr* const value = level_of(*start.body.front()->value);
      const auto number = value == nullptr ? std::nullopt : ir::integer_of(*value);
      if (!number || *number < 0 || is_extreme(*value, true) || (start_ && *start_ != *number))
        return false;
      start_ = number;
    }
    return start_.has_value();
  }

  bool sends_steps() {
    for (const SymbolicSend& send : update_->sends) {
      const Expr* const value = level_of(*send.value);
      if (value == nullptr || value->op != Op::Add) return false;
      const unsigned inbox = is_level(*value->operands[0]) ? 0 : 1;
      const auto number = ir::integer_of(*value->operands[1 - inbox]);
      if (!is_level(*value->operands[inbox]) || !number || *number <= 0 ||
          (step_ && *step_ != *number))
        return false;
      step_ = number;
    }
    return true;
  }

  /// A number that came to inf asks nobody, but a tuple that begins with it does.
  bool ends_below_inf() const {
    const double last = static_cast<double>(*start_) + static_cast<double>(*step_) * kMostLevels;
    return !is_tuple() || last < ir::range_of(ir::Type(message_->type.elements[0])).high;
  }

  /// An expression of an activation, which is the vertex' first one; null where it reads `step` and
  /// that is not known.
  ExprPtr at_visit(const Expr& expr) const {
    bool known = true;
    ExprPtr made = replaced(expr, [&](const Expr& e) -> ExprPtr {
      if (e.op == Op::Step) {
        known = known && *step_ == 1 && message_->type.elements[0] == ir::ScalarKind::Int32;
        if (*start_ == 0) return level(e.location);
        return operation(Op::Subtract, e.type, level(e.location), int32_literal(*start_));
      }
      if (!ir::is_state_of(e, phase_.variable)) return nullptr;
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
    found_.guard = std::move(rest);
    return asks;
  }
  /// `m < v.d`, where d begins with inf and takes the inbox; of tuples, also their first elements.
  bool is_improvement(const Expr& part) {
    if (part.op != Op::Less && part.op != Op::Greater) return false;
    const unsigned less = part.op == Op::Less ? 0 : 1;
    const Expr &taken = *part.operands[less], &held = *part.operands[1 - less];
    if (is_message(taken) && ir::is_state_of(held, phase_.variable))
      return holds_value(held.symbol);
    if (!is_tuple()) return false;
    changes_ = true;
    if (is_message(taken)) return holds_elements(held);
    if (!is_level(taken)) return false;
    if (held.op != Op::TupleElement) return holds_element(held, 0);
    return held.index == 0 && ir::is_state_of(*held.operands[0], phase_.variable) &&
           holds_value(held.operands[0]->symbol);
  }
  bool holds_value(const std::string& name) const {
    const auto written = update_->states.find(name);
    const auto before = before_.find(name);
    return written != update_->states.end() && before != before_.end() &&
           program_.find_state(name)->type == message_->type && begins_at_inf(*before->second) &&
           is_message(*at_visit_or_self(*written->second));
  }
  bool begins_at_inf(const Expr& value) const {
    return is_extreme(is_tuple() && value.op == Op::MakeTuple ? *value.operands[0] : value, true);
  }
  /// States of this vertex that take the elements, the first of which begins with inf.
  bool holds_elements(const Expr& held) const {
    if (held.op != Op::MakeTuple) return false;
    for (unsigned i = 0; i < held.operands.size(); ++i)
      if (!holds_element(*held.operands[i], i)) return false;
    return true;
  }
  bool holds_element(const Expr& held, unsigned index) const {
    if (!ir::is_state_of(held, phase_.variable)) return false;
    const auto written = update_->states.find(held.symbol);
    const auto before = before_.find(held.symbol);
    return written != update_->states.end() && before != before_.end() &&
           is_element(*at_visit_or_self(*written->second), index) &&
           (index != 0 || is_extreme(*before->second, true));
  }
  ExprPtr at_visit_or_self(const Expr& value) const {
    ExprPtr known = at_visit(value);
    return known ? std::move(known) : value.clone();
  }
  /// Whoever is asked has a message.
  bool is_presence(const Expr& part) const {
    if (part.op != Op::NotEqual && part.op != Op::Less && part.op != Op::Greater) return false;
    const unsigned inbox = part.operands[0]->operands.empty() && !is_message(*part.operands[0]);
    const Expr &asked = *part.operands[inbox], &end = *part.operands[1 - inbox];
    if (asked.op == Op::TupleElement && part.op == Op::NotEqual && end.op == Op::NoVertex)
      return is_message(*asked.operands[0]) && is_always_vertex(asked.index);
    return is_level(asked) && is_extreme(end, true) &&
           (part.op == Op::NotEqual || (part.op == Op::Less) == (inbox == 0));
  }
  /// Holds of what the state was, and of nothing that a visit gives it.
  bool is_unvisited(const Expr& part) const {
    const std::optional<bool> first = of_before(part, phase_.variable);
    if (first != true) return false;
    if (ir::boolean_of(*folded_expr(*after(part))) == false) return true;
    if (part.operands.size() != 2) return false;
    if (is_tuple() && part.op == Op::Equal && asks_no_vertex(part)) return true;
    const bool left = ir::is_state_of(*part.operands[0], phase_.variable);
    const Expr& mark = *part.operands[left ? 0 : 1];
    const Expr& other = *part.operands[left ? 1 : 0];
    if (!ir::is_state_of(mark, phase_.variable) || !is_counted(mark.symbol)) return false;
    const auto number = ir::integer_of(other);
    if (part.op == Op::Equal) return is_extreme(other, true) || (number && *number < *start_);
    return part.op == (left ? Op::Less : Op::Greater) && number && *number <= *start_;
  }
  /// `v.parent == none`, where a visit gives it a vertex.
  bool asks_no_vertex(const Expr& part) const {
    const unsigned mark = part.operands[0]->op == Op::NoVertex ? 1 : 0;
    if (part.operands[1 - mark]->op != Op::NoVertex) return false;
    const ExprPtr given = after(*part.operands[mark]);
    return given->op == Op::TupleElement && is_message(*given->operands[0]) &&
           is_always_vertex(given->index);
  }
  /// That element of no message is `none`.
  bool is_always_vertex(unsigned index) const {
    const auto is_vertex = [&](const Expr& value) {
      if (value.op != Op::MakeTuple) return false;
      const Expr& element = *value.operands[index];
      return element.op == Op::BoundVertex || is_element(element, index) ||
             (element.op == Op::Parameter && starts_at(element.symbol));
    };
    return std::ranges::all_of(
               phase_.starts,
               [&](const ir::Start& start) { return is_vertex(*start.body.front()->value); }) &&
           std::ranges::all_of(update_->sends,
                               [&](const SymbolicSend& send) { return is_vertex(*send.value); });
  }
  /// Who is started is a vertex.
  bool starts_at(const std::string& parameter) const {
    return std::ranges::any_of(phase_.starts, [&](const ir::Start& start) {
      return start.vertex && start.vertex->op == Op::Parameter && start.vertex->symbol == parameter;
    });
  }
  ExprPtr after(const Expr& part) const {
    return replaced(part, [&](const Expr& e) -> ExprPtr {
      if (!ir::is_state_of(e, phase_.variable)) return nullptr;
      const auto written = update_->states.find(e.symbol);
      return written == update_->states.end() ? nullptr : at_visit_or_self(*written->second);
    });
  }
  /// A visit gives it the inbox, which is never less than the start, and never inf.
  bool is_counted(const std::string& name) const {
    const auto written = update_->states.find(name);
    return written != update_->states.end() && has_type_of_level(name) &&
           is_level(*at_visit_or_self(*written->second));
  }
  /// The condition on written states of `vertex` alone, before they are written.
  std::optional<bool> of_before(const Expr& part, const std::string& vertex) const {
    bool alone = true, any = false;
    const ExprPtr made = replaced(part, [&](const Expr& e) -> ExprPtr {
      if (!e.operands.empty() || e.op == Op::Literal || e.op == Op::Infinity ||
          e.op == Op::NoVertex)
        return nullptr;
      const auto before = before_.find(e.symbol);
      alone = alone && ir::is_state_of(e, vertex) && is_written(e) && before != before_.end();
      any = true;
      return alone ? before->second->clone() : nullptr;
    });
    return alone && any ? ir::boolean_of(*folded_expr(*made)) : std::nullopt;
  }

  bool sends_plainly() {
    for (const SymbolicSend& send : update_->sends) {
      SymbolicSend made{send.stmt, nullptr, at_visit(*send.value), nullptr, nullptr};
      if (!made.value || reads_written(*made.value)) return false;
      if (send.condition) {
        made.condition = at_visit(*send.condition);
        if (!made.condition || reads_written(*made.condition) || !stays(*made.condition))
          return false;
      }
      if (send.filter && !takes_filter(*send.filter, made)) return false;
      found_.sends.push_back(std::move(made));
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
      if (found_.target.empty() && holds_value(name)) found_.target = name;
    for (const auto& [name, value] : update_->states) {
      if (name == found_.target) continue;
      ExprPtr known = at_visit(*value);
      const bool plain =
          known && !has_node(*known, [&](const Expr& e) {
            return e.op == Op::ExternCall ||
                   (is_written(e) && (!ir::is_state_of(e, phase_.variable) || e.symbol != name));
          });
      if (!plain) return false;
      changes_ = true;
      found_.later.emplace_back(name, std::move(known));
    }
    return true;
  }

  const ir::Program& program_;
  const SearchFacts& facts_;
  const ir::Phase& phase_;
  const ir::Message* message_ = nullptr;
  std::optional<SymbolicUpdate> update_;
  std::map<std::string, ExprPtr> before_;
  std::optional<std::int64_t> start_, step_;
  PlainSearch found_;     ///< `before`: null where a state is to begin as an empty inbox
  bool changes_ = false;  ///< the phase is not the plain search already
};

}  // namespace

std::optional<PlainSearch> find_plain_search(const ir::Program& program, const SearchFacts& facts,
                                             const ir::Phase& phase) {
  return Finder(program, facts, phase).run();
}

}  // namespace vertigo::compiler::passes
