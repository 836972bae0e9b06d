#include "compiler/passes/program/Relaxation.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "compiler/ir/program/Ops.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FirstWitness.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Combine;
using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Reduction;

namespace {

std::vector<const Expr*> operands_of(const Expr& expr, Op op) {
  if (expr.op != op) return {&expr};
  std::vector<const Expr*> parts;
  for (const ExprPtr& operand : expr.operands)
    for (const Expr* part : operands_of(*operand, op)) parts.push_back(part);
  return parts;
}

/// The one reduction over neighbours in it; null where there is none, or several.
const Expr* reduction_in(const Expr& expr) {
  const Expr* found = nullptr;
  unsigned number = 0;
  ir::walk(expr, [&](const Expr& node) {
    if (node.op != Op::ReduceNeighbours) return;
    found = &node;
    ++number;
  });
  return number == 1 ? found : nullptr;
}

std::optional<Combine> combining(Op op) {
  switch (op) {
    case Op::Min:
      return Combine::Min;
    case Op::Max:
      return Combine::Max;
    case Op::Or:
      return Combine::Or;
    case Op::And:
      return Combine::And;
    default:
      return std::nullopt;
  }
}
Reduction reduction_of(Combine combine) {
  return combine == Combine::Min   ? Reduction::Min
         : combine == Combine::Max ? Reduction::Max
         : combine == Combine::Or  ? Reduction::Any
                                   : Reduction::All;
}

ExprPtr negation_of(const Expr& expr) { return passes::negation(expr.clone()); }

bool is_negated_state(const Expr& expr, const std::string& state) {
  return expr.op == Op::Not && is_own_state(*expr.operands[0], state);
}

/// `less < more`, whichever way it is written; null where it is no such comparison.
std::pair<const Expr*, const Expr*> ordered(const Expr& expr) {
  if (expr.op == Op::Less) return {expr.operands[0].get(), expr.operands[1].get()};
  if (expr.op == Op::Greater) return {expr.operands[1].get(), expr.operands[0].get()};
  return {nullptr, nullptr};
}

class Match {
 public:
  explicit Match(std::string state) { found_.state = std::move(state); }

  bool of(const Expr& after) {
    found_.after = &after;
    return of(after, {}) && !found_.offers.empty();
  }
  Relaxation take() { return std::move(found_); }

 private:
  using Conditions = std::vector<const Expr*>;

  bool is_state(const Expr& expr) const { return is_own_state(expr, found_.state); }

  bool of(const Expr& expr, const Conditions& conditions) {
    if (expr.op == Op::Select) return of_choice(expr, conditions);
    const auto combine = combining(expr.op);
    if (!combine) return false;
    const auto parts = operands_of(expr, expr.op);
    if (std::ranges::none_of(parts, [&](const Expr* part) { return is_state(*part); }))
      return false;
    return std::ranges::all_of(parts, [&](const Expr* part) {
      return is_state(*part) || add(*combine, *part, conditions);
    });
  }

  bool set(Combine combine) {
    if (!found_.offers.empty() && found_.combine != combine) return false;
    found_.combine = combine;
    return true;
  }

  /// Of an `or`, conditions that are no reduction are the vertex' own; that it is not reached yet
  /// may be asked or not.
  bool add(Combine combine, const Expr& part, const Conditions& conditions) {
    if (!set(combine)) return false;
    Offer offer;
    for (const Expr* condition : conditions) offer.conditions.push_back(condition->clone());
    const Expr* value = &part;
    if (combine == Combine::Or) {
      value = nullptr;
      for (const Expr* each : conjuncts(part)) {
        if (is_negated_state(*each, found_.state)) continue;
        if (has_node(*each, [](const Expr& e) { return e.op == Op::ReduceNeighbours; })) {
          if (value != nullptr) return false;
          value = each;
        } else {
          offer.conditions.push_back(each->clone());
        }
      }
      if (value == nullptr) return false;
    }
    // Every offer is found in an expression of its own, as a count may be asked by `any`.
    ExprPtr asked = is_bool(*value) ? ask_for_witnesses(*value) : nullptr;
    found_.kept.push_back(asked ? std::move(asked) : value->clone());
    offer.value = found_.kept.back().get();
    offer.reduction = reduction_in(*offer.value);
    if (offer.reduction == nullptr || offer.reduction->reduction != reduction_of(combine) ||
        offer.reduction->vertex != kOwn)
      return false;
    found_.offers.push_back(std::move(offer));
    return true;
  }

  /// `r < x ? r : x`, and `c ? min(x, r) : x`.
  bool of_choice(const Expr& choice, Conditions conditions) {
    if (is_state(*choice.operands[1])) {
      ExprPtr turned = choice.clone();
      turned->operands[0] = simplified(*negation_of(*choice.operands[0]));
      std::swap(turned->operands[1], turned->operands[2]);
      found_.kept.push_back(std::move(turned));
      return of_choice(*found_.kept.back(), std::move(conditions));
    }
    if (!is_state(*choice.operands[2])) return false;
    const Expr& taken = *choice.operands[1];
    Conditions tests;
    for (const Expr* part : conjuncts(*choice.operands[0])) {
      const auto [less, more] = ordered(*part);
      const bool tests_state = less != nullptr && (is_state(*less) || is_state(*more));
      (tests_state ? tests : conditions).push_back(part);
    }
    if (tests.empty()) return of(taken, conditions);
    if (tests.size() != 1) return false;
    const auto [less, more] = ordered(*tests.front());
    const Expr& better = is_state(*more) ? *less : *more;
    const Combine combine = is_state(*more) ? Combine::Min : Combine::Max;
    if (ir::same(taken, better)) return add(combine, taken, conditions);
    const std::size_t before = found_.offers.size();
    return of(taken, conditions) && found_.combine == combine &&
           found_.offers.size() == before + 1 && ir::same(*found_.offers.back().value, better);
  }

  Relaxation found_;
};

/// As an offer's value is kept.
bool is_value(const Expr& expr, const Offer& offer) {
  if (ir::same(expr, *offer.value)) return true;
  const ExprPtr asked = is_bool(expr) ? ask_for_witnesses(expr) : nullptr;
  return asked && ir::same(*asked, *offer.value);
}

/// A test of a vertex, part by part.
class MovedTest {
 public:
  explicit MovedTest(const Relaxation& relaxation) : relaxation_(relaxation) {}

  bool holds(const Expr& condition) {
    if (is_change(condition)) return true;
    for (const Expr* part : conjuncts(condition))
      if (!take(*part)) return false;
    if (is_flag()) return asks_state_ && (asks_whole_ || asks_offer());
    return asks_whole_ || asks_offer();
  }

 private:
  bool is_flag() const { return is_bool(*relaxation_.after); }
  bool is_state(const Expr& expr) const { return is_own_state(expr, relaxation_.state); }
  /// The one offer; a test of one among several is less than the test of all.
  const Offer* only() const {
    return relaxation_.offers.size() == 1 ? &relaxation_.offers.front() : nullptr;
  }

  /// `after != x`.
  bool is_change(const Expr& expr) const {
    const bool differs =
        expr.op == Op::NotEqual || (expr.op == Op::Not && expr.operands[0]->op == Op::Equal);
    if (!differs) return false;
    const Expr& pair = expr.op == Op::Not ? *expr.operands[0] : expr;
    for (const std::size_t side : {0U, 1U})
      if (is_state(*pair.operands[side]) && is_whole(*pair.operands[1 - side])) return true;
    return false;
  }

  /// All that the state is combined with.
  bool is_whole(const Expr& expr) const { return ir::same(expr, *relaxation_.after); }
  bool is_rest(const Expr& expr) const {
    const Expr& after = *relaxation_.after;
    if (!combining(after.op)) return false;
    return std::ranges::any_of(std::initializer_list<std::size_t>{0U, 1U}, [&](std::size_t side) {
      return is_state(*after.operands[side]) && ir::same(*after.operands[1 - side], expr);
    });
  }

  bool take(const Expr& part) { return is_flag() ? take_flag(part) : take_number(part); }

  bool take_number(const Expr& part) {
    const auto [less, more] = ordered(part);
    if (less != nullptr && is_state(relaxation_.falls() ? *more : *less)) {
      const Expr& better = relaxation_.falls() ? *less : *more;
      if (is_whole(better) || is_rest(better)) return asks_whole_ = true;
      if (only() != nullptr && is_value(better, *only())) return asks_value_ = true;
      return false;
    }
    return take_condition(part);
  }
  bool take_flag(const Expr& part) {
    const bool rises = relaxation_.combine == Combine::Or;
    if (rises ? is_negated_state(part, relaxation_.state) : is_state(part))
      return asks_state_ = true;
    const Expr* inner = &part;
    if (!rises) {
      if (part.op != Op::Not) return false;
      inner = part.operands[0].get();
    }
    if (is_whole(*inner) || is_rest(*inner)) return asks_whole_ = true;
    if (only() != nullptr && is_value(*inner, *only())) return asks_value_ = true;
    return rises && take_condition(part);
  }
  bool take_condition(const Expr& part) {
    if (only() == nullptr) return false;
    for (const ExprPtr& condition : only()->conditions)
      if (ir::same(*condition, part)) {
        asked_.insert(condition.get());
        return true;
      }
    return false;
  }
  bool asks_offer() const {
    return asks_value_ && only() != nullptr && asked_.size() == only()->conditions.size();
  }

  const Relaxation& relaxation_;
  bool asks_whole_ = false;
  bool asks_value_ = false;
  bool asks_state_ = false;
  std::set<const Expr*> asked_;
};

/// Of numbers that are 0 or more at every vertex: whether some are more.
ExprPtr is_positive(const Expr& number) {
  if (number.op == Op::Cast && !is_bool(*number.operands[0]))
    return is_positive(*number.operands[0]);
  const auto none_below = [](const Expr& e) {
    const auto value = ir::integer_of(e);
    return value && *value >= 0;
  };
  const bool is_choice =
      number.op == Op::Select && none_below(*number.operands[1]) && none_below(*number.operands[2]);
  if (!is_choice && number.op != Op::Cast) return nullptr;
  return simplified(*above_zero(number));
}

/// `count(… where c) > 0`, and what else says of a number that it is not 0.
ExprPtr asked_of_number(const Expr& expr) {
  if (!ir::info(expr.op).is_comparison()) return nullptr;
  const bool left = expr.operands[0]->op == Op::ReduceVertices;
  const Expr& reduction = *expr.operands[left ? 0 : 1];
  const auto bound = ir::integer_of(*expr.operands[left ? 1 : 0]);
  if (reduction.op != Op::ReduceVertices || !bound) return nullptr;
  const auto holds_of = [&](std::int64_t number) {
    const int order = number < *bound ? -1 : number > *bound ? 1 : 0;
    return ir::holds(expr.op, left ? order : -order);
  };
  // Of numbers from 0 on: of none of them but 0.
  if (holds_of(0) || !holds_of(1) || !holds_of(2) || *bound < 0 || *bound > 1) return nullptr;
  if (reduction.reduction == Reduction::Count && reduction.operands[1])
    return reduction.operands[1]->clone();
  if (reduction.reduction != Reduction::Sum && reduction.reduction != Reduction::Max)
    return nullptr;
  ExprPtr positive = reduction.operands[0] ? is_positive(*reduction.operands[0]) : nullptr;
  if (!positive) return nullptr;
  return ir::both(reduction.operands[1] ? reduction.operands[1]->clone() : nullptr,
                  std::move(positive));
}

}  // namespace

std::optional<Relaxation> find_relaxation(const ir::Program& program,
                                          const RelaxationRound& round) {
  for (const auto& [state, after] : round.states) {
    if (!program.find_state(state)->type.is_scalar()) continue;
    Match match(state);
    if (!match.of(*after)) continue;
    Relaxation found = match.take();
    // Of several, the one that neighbours offer of their own.
    const bool reads_state = std::ranges::any_of(found.offers, [&](const Offer& offer) {
      return has_node(*offer.reduction, [&](const Expr& node) {
        return ir::is_state_of(node, offer.reduction->symbol, state);
      });
    });
    if (reads_state) return found;
  }
  return std::nullopt;
}

bool asks_if_moved(const Expr& condition, const Relaxation& relaxation) {
  return MovedTest(relaxation).holds(condition);
}

ExprPtr asked_of_some(const Expr& expr) {
  if (expr.op == Op::Not && expr.operands[0]->op == Op::ReduceVertices &&
      expr.operands[0]->reduction == Reduction::All) {
    const Expr& all = *expr.operands[0];
    ExprPtr fails = simplified(*negation_of(*all.operands[0]));
    return ir::both(all.operands[1] ? all.operands[1]->clone() : nullptr, std::move(fails));
  }
  if (expr.op == Op::ReduceVertices && expr.reduction == Reduction::Any)
    return ir::both(expr.operands[1] ? expr.operands[1]->clone() : nullptr,
                    expr.operands[0]->clone());
  return asked_of_number(expr);
}

ExprPtr at_rest(const Expr& expr, const Relaxation& relaxation) {
  ExprPtr made = replaced(expr, [&](const Expr& node) -> ExprPtr {
    if (ir::same(node, *relaxation.after)) {
      ExprPtr own = leaf(Op::State, node.type, node.location);
      own->symbol = relaxation.state;
      own->vertex = kOwn;
      return own;
    }
    if (is_bool(node) && asks_if_moved(node, relaxation)) return ir::boolean(false, node.location);
    return nullptr;
  });
  return simplified(*made);
}

}  // namespace vertigo::compiler::passes
