#include "compiler/passes/program/SearchedStates.h"

#include <algorithm>
#include <iterator>

#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FirstWitness.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/KnownValues.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/Relaxation.h"
#include "compiler/passes/program/SearchRounds.h"
#include "compiler/passes/program/SymbolicUpdate.h"
#include "vertigo/core/quoted.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Reduction;

namespace {

/// More neighbours' conditions than that are tried in too many ways.
constexpr std::size_t kMostAsked = 3;
constexpr unsigned kNone = 0, kAll = ~0U;

ExprPtr opposite_of(const Expr& expr) { return simplified(*negation(expr.clone())); }

/// `min(…) != none` is `min(…) < none`, and no neighbour is `none`.
ExprPtr as_order(const Expr& node) {
  const bool differs = node.op == Op::NotEqual, is_same = node.op == Op::Equal;
  if (node.op == Op::Less && node.operands[0]->op == Op::BoundVertex &&
      node.operands[1]->op == Op::NoVertex)
    return ir::boolean(true, node.location);
  if (!differs && !is_same) return nullptr;
  for (const std::size_t side : {0U, 1U}) {
    const Expr &least = *node.operands[side], &none = *node.operands[1 - side];
    if (least.op != Op::ReduceNeighbours || least.reduction != Reduction::Min ||
        !is_extreme(none, true))
      continue;
    return comparison(differs ? Op::Less : Op::GreaterEqual, least, none);
  }
  return nullptr;
}

/// Questions of neighbours, asked by `any`, and neighbours called alike.
ExprPtr asked_by_any(const Expr& expr) {
  ExprPtr made = replaced(expr, as_order);
  if (ExprPtr asked = ask_for_witnesses(*made)) made = std::move(asked);
  made = replaced(*made, as_order);
  ir::walk(*made, [](Expr& node) {
    if (node.op != Op::ReduceNeighbours) return;
    const std::string name = node.symbol;
    for (ExprPtr& operand : node.operands)
      if (operand) operand = renamed_vertex(*operand, name, SearchedStates::kNeighbour);
    node.symbol = SearchedStates::kNeighbour;
  });
  return simplified(*made);
}

/// Its reductions bind other vertices than neighbours, or neighbours of neighbours.
bool binds_others(const Expr& expr) {
  return has_node(expr, [](const Expr& node) {
    return node.op == Op::ReduceCommon || node.op == Op::CommonNeighbours ||
           (node.op == Op::ReduceNeighbours &&
            (node.vertex != kOwn || std::ranges::any_of(node.operands, [](const ExprPtr& part) {
               return part && reads(*part, Op::ReduceNeighbours);
             })));
  });
}

}  // namespace

SearchedStates::SearchedStates(const SearchSurroundings& around)
    : around_(around), numbers_(counters_of(around.round, around.variable_at_begin)) {}

std::string SearchedStates::find() {
  take_round();
  if (std::string problem = take_beginnings(); !problem.empty()) return problem;
  find_asked();
  if (!is_search() || asked_.size() > kMostAsked) return "no search is found in its rounds";
  for (const auto step : {&SearchedStates::find_condition, &SearchedStates::take_given,
                          &SearchedStates::take_arrivals, &SearchedStates::prove_unreached,
                          &SearchedStates::prove_once})
    if (std::string problem = (this->*step)(); !problem.empty()) return problem;
  find_copies();
  return "";
}

// -- What the rounds read and count

void SearchedStates::take_round() {
  for (const auto& [name, value] : around_.round.states) {
    if (!around_.program.find_state(name)->type.is_scalar()) continue;
    ExprPtr asked = asked_by_any(*value);
    if (!binds_others(*asked)) after_[name] = std::move(asked);
  }
  const auto add_reads = [&](const Expr& expr, const std::string& of) {
    ir::walk(expr, [&](const Expr& node) {
      if (node.op == Op::State && around_.round.written.contains(node.symbol) &&
          !(ir::is_state_of(node, kOwn, of)))
        read_.insert(node.symbol);
    });
  };
  for (const auto& [name, value] : after_) add_reads(*value, name);
  if (around_.round.condition) add_reads(*around_.round.condition, "");
}

std::string SearchedStates::take_beginnings() {
  // Those that decide say whom the search starts with; others may begin otherwise.
  std::vector<std::string> names(read_.begin(), read_.end());
  std::ranges::set_difference(around_.round.written, read_, std::back_inserter(names));
  for (const std::string& name : names) {
    const KnownBeginning begins = around_.beginning_of(name);
    SearchedState state;
    const bool is_known = begins.value && after_.contains(name) && splits(*begins.value, state);
    if (!is_known && read_.contains(name))
      return "what " + quoted(name) +
             " begins with is not one of two values that the program shows";
    if (!state.unreached && after_.contains(name))
      state.unreached = state_of(*around_.program.find_state(name), kOwn);
    if (state.unreached) states_[name] = std::move(state);
  }
  return starts_ ? "" : "no state tells whom the search starts with";
}

/// One condition chooses of all states whether a vertex begins as one that was reached.
bool SearchedStates::splits(const Expr& value, SearchedState& state) {
  if (is_known(value)) {
    state.unreached = value.clone();
    state.first = value.clone();
    return true;
  }
  ExprPtr starts;
  if (value.op == Op::Select && is_known(*value.operands[1]) && is_known(*value.operands[2])) {
    starts = value.operands[0]->clone();
    state.first = value.operands[1]->clone();
    state.unreached = value.operands[2]->clone();
  } else if (is_bool(value)) {
    starts = value.clone();
    state.first = ir::boolean(true);
    state.unreached = ir::boolean(false);
  } else {
    return false;
  }
  if (starts->op == Op::Not || starts->op == Op::NotEqual) {
    starts = opposite_of(*starts);
    std::swap(state.first, state.unreached);
  }
  if (!starts_) starts_ = starts->clone();
  const bool is_same = ir::same(*starts_, *starts);
  if (!is_same) state = {};
  return is_same;
}

bool SearchedStates::changes(const Expr& expr, bool may_count) const {
  return has_node(expr, [&](const Expr& node) {
    return (node.op == Op::State && around_.round.written.contains(node.symbol)) ||
           (node.op == Op::HostVariable && around_.round.assigned.contains(node.symbol) &&
            !(may_count && numbers_.counters().contains(node.symbol)));
  });
}
bool SearchedStates::reads_changing(const Expr& expr, const std::string& vertex) const {
  return has_node(expr, [&](const Expr& node) {
    return ir::is_state_of(node, vertex) && around_.round.written.contains(node.symbol);
  });
}

// -- Expressions as of a vertex

ExprPtr SearchedStates::number_of_round(std::int64_t plus, const ir::Type& type) const {
  const auto& [name, begins] = *numbers_.counters().begin();
  const Expr& value = *around_.round.host.at(name);
  ExprPtr counter = leaf(Op::HostVariable, value.type);
  counter->symbol = name;
  ExprPtr more = leaf(Op::Literal, value.type);
  more->value = plus - begins;
  if (plus != begins) counter = operation(Op::Add, value.type, std::move(counter), std::move(more));
  return type == value.type ? std::move(counter) : operation(Op::Cast, type, std::move(counter));
}

NumberBounds SearchedStates::bounds_of(const Expr& expr, const std::string& vertex,
                                       When when) const {
  if (!ir::is_state_of(expr, vertex) || (when != When::Earlier && when != When::Reached)) return {};
  const auto found = states_.find(expr.symbol);
  if (found == states_.end() || !found->second.ahead || found->second.first_is_odd) return {};
  const std::int64_t given = *found->second.ahead;
  return {given - 1, {}, {}, when == When::Earlier ? given - 2 : given - 1};
}

ExprPtr SearchedStates::as_of(const Expr& expr, const std::string& vertex, When when) const {
  const ExprPtr made = replaced(expr, [&](const Expr& node) -> ExprPtr {
    if (!ir::is_state_of(node, vertex)) return nullptr;
    const auto found = states_.find(node.symbol);
    if (found == states_.end()) return nullptr;
    const SearchedState& state = found->second;
    if (state.first_is_odd && when != When::Unreached) return nullptr;
    const ExprPtr* value = nullptr;
    if (when == When::Unreached) value = &state.unreached;
    if (when == When::Last) value = &state.last;
    if (when == When::Earlier) value = &state.earlier;
    if (when == When::Reached && state.last && state.earlier &&
        ir::same(*state.last, *state.earlier))
      value = &state.earlier;
    return value != nullptr && *value ? renamed_vertex(**value, kOwn, vertex) : nullptr;
  });
  return numbers_.decided(*made, [&](const Expr& node) { return bounds_of(node, vertex, when); });
}

/// Of a vertex for which those of the questions hold.
ExprPtr SearchedStates::with_arrivals(const Expr& expr, unsigned which) const {
  const ExprPtr made = replaced(expr, [&](const Expr& node) -> ExprPtr {
    for (std::size_t i = 0; i < asked_.size(); ++i)
      if (ir::same(node, *asked_[i])) return ir::boolean((which >> i & 1U) != 0, node.location);
    return nullptr;
  });
  return numbers_.decided(*made, [](const Expr&) { return NumberBounds{}; });
}
ExprPtr SearchedStates::with_condition(const Expr& expr, bool holds) const {
  if (!condition_) return expr.clone();
  const ExprPtr opposite = opposite_of(*condition_);
  const ExprPtr made = replaced(expr, [&](const Expr& node) -> ExprPtr {
    if (ir::same(node, *condition_)) return ir::boolean(holds, node.location);
    if (ir::same(node, *opposite)) return ir::boolean(!holds, node.location);
    return nullptr;
  });
  return numbers_.decided(*made, [](const Expr&) { return NumberBounds{}; });
}

// -- How a vertex is reached

void SearchedStates::find_asked() {
  for (const auto& [name, value] : after_) {
    if (!read_.contains(name)) continue;
    const ExprPtr asks = as_of(*value, kOwn, When::Unreached);
    ir::walk(*asks, [&](const Expr& node) {
      if (node.op == Op::ReduceNeighbours && node.reduction == Reduction::Any &&
          reads_changing(node, kNeighbour) &&
          std::ranges::none_of(asked_, [&](const ExprPtr& each) { return ir::same(*each, node); }))
        asked_.push_back(node.clone());
    });
  }
}

std::string SearchedStates::find_condition() {
  for (const std::string& name : read_) {
    const Expr& before = *states_.at(name).unreached;
    const ExprPtr after = with_arrivals(*as_of(*after_.at(name), kOwn, When::Unreached), kAll);
    if (is_known(*after) || numbers_.ahead(*after)) continue;
    if (after->op == Op::Select && ir::same(*after->operands[2], before))
      condition_ = after->operands[0]->clone();
    else if (after->op == Op::Select && ir::same(*after->operands[1], before))
      condition_ = opposite_of(*after->operands[0]);
    else if (is_bool(*after))
      condition_ = ir::boolean_of(before) == true ? opposite_of(*after) : after->clone();
    if (!condition_ || changes(*condition_, true))
      return "what " + quoted(name) +
             " is given depends on more than whether a neighbour was "
             "reached in the round before";
    return "";
  }
  return "";
}

std::string SearchedStates::take_given() {
  for (auto& [name, state] : states_) {
    state.given =
        with_condition(*with_arrivals(*as_of(*after_.at(name), kOwn, When::Unreached), kAll), true);
    state.ahead = numbers_.ahead(*state.given);
    if (is_known(*state.given))
      state.last = state.given->clone();
    else if (state.ahead)
      state.last = number_of_round(*state.ahead - 1, state.given->type);
    else if (read_.contains(name))
      return "what " + quoted(name) +
             " is given is neither a literal nor the number of the round and a constant";
    const auto first = state.first ? ir::integer_of(*state.first) : std::nullopt;
    state.first_is_odd = state.ahead
                             ? first != *state.ahead - 1
                             : !state.first || !state.last || !ir::same(*state.first, *state.last);
    if (state.first_is_odd && read_.contains(name))
      return "those whom the search starts with do not hold in " + quoted(name) +
             " what they would have been given a round before the first";
  }
  return "";
}

std::string SearchedStates::take_arrivals() {
  for (const ExprPtr& asked : asked_)
    if (std::string problem = take_arrival(*asked); !problem.empty()) return problem;
  return "";
}
std::string SearchedStates::take_arrival(const Expr& asked) {
  Arrival arrival;
  arrival.direction = asked.direction;
  arrival.location = asked.location;
  bool tells_front = false;
  // A condition that reads the number of the round may let in later whom it kept out.
  bool is_last = false, counts = condition_ && changes(*condition_);
  for (const ExprPtr& operand : asked.operands) {
    if (!operand) continue;
    for (const Expr* part : conjuncts(*operand)) {
      const auto before = ir::boolean_of(*as_of(*part, kNeighbour, When::Unreached));
      const auto after = ir::boolean_of(*as_of(*part, kNeighbour, When::Last));
      if (!before && !after && !changes(*part, true)) {
        counts = counts || changes(*part);
        arrival.condition = ir::both(std::move(arrival.condition), part->clone());
        continue;
      }
      if (!before || after != true)
        return "which neighbours reach a vertex is not shown to be those that were reached in the "
               "round before";
      tells_front = tells_front || !*before;
      is_last = is_last || ir::boolean_of(*as_of(*part, kNeighbour, When::Earlier)) == false;
    }
  }
  if (counts && !is_last)
    return "a condition reads the number of the round, and neighbours ask that were not reached in "
           "the "
           "round before";
  if (!tells_front) return "a vertex is reached by neighbours that were not reached";
  const auto is_same = [&](const Arrival& other) {
    return other.direction == arrival.direction && !other.condition == !arrival.condition &&
           (!other.condition || ir::same(*other.condition, *arrival.condition));
  };
  if (std::ranges::none_of(arrivals_, is_same)) arrivals_.push_back(std::move(arrival));
  return "";
}

// -- That it is reached once

bool SearchedStates::is_kept(const std::string& name, const SearchedState& state,
                             unsigned arrivals) const {
  const ExprPtr before = as_of(*after_.at(name), kOwn, When::Unreached);
  const ExprPtr after = with_arrivals(*before, arrivals);
  if (arrivals == kNone) return ir::same(*after, *state.unreached);
  return ir::same(*with_condition(*after, true), *state.given) &&
         (!condition_ || ir::same(*with_condition(*after, false), *state.unreached));
}

std::string SearchedStates::prove_unreached() {
  for (auto& [name, state] : states_) {
    bool holds = true;
    for (unsigned which = 0; which < (1U << asked_.size()); ++which)
      holds = holds && is_kept(name, state, which);
    if (!holds && read_.contains(name))
      return quoted(name) + " changes where no neighbour was reached in the round before";
    if (!holds) state.given = nullptr;
  }
  return "";
}

std::string SearchedStates::prove_once() {
  const auto stays = [](const std::string& name, const Expr& after) {
    return ir::is_state_of(after, kOwn, name);
  };
  for (auto& [name, state] : states_) {
    if (!state.given) continue;
    const ExprPtr after = as_of(*after_.at(name), kOwn, When::Last);
    state.stays =
        stays(name, *after) || (state.ahead && numbers_.ahead(*after) == *state.ahead - 1);
    if (!state.stays && is_known(*after)) {
      state.stays = true;
      state.earlier = after->clone();
    }
  }
  for (auto& [name, state] : states_) {
    if (!state.given) continue;
    const ExprPtr after = as_of(*after_.at(name), kOwn, When::Earlier);
    state.stays =
        state.stays && (state.earlier ? ir::same(*after, *state.earlier) : stays(name, *after));
    if (!state.stays && read_.contains(name))
      return quoted(name) + " is not shown to stay as it is once a vertex was reached";
  }
  return "";
}

bool SearchedStates::asks_if_reached(const Expr& test) const {
  const ExprPtr asked = asked_by_any(test);
  const bool knows = !has_node(*asked, [&](const Expr& node) {
    if (node.op != Op::State || !around_.round.written.contains(node.symbol)) return false;
    const auto found = states_.find(node.symbol);
    return found == states_.end() || !found->second.given || !found->second.stays ||
           !found->second.first || found->second.first_is_odd;
  });
  if (!knows || binds_others(*asked)) return false;
  const ExprPtr unreached = as_of(*asked, kOwn, When::Unreached);
  for (unsigned which = 0; which < (1U << asked_.size()); ++which) {
    const ExprPtr after = with_arrivals(*unreached, which);
    const bool arrives = which != kNone;
    if (ir::boolean_of(*with_condition(*after, true)) != arrives) return false;
    if (condition_ && ir::boolean_of(*with_condition(*after, false)) != false) return false;
  }
  return ir::boolean_of(*as_of(*asked, kOwn, When::Last)) == false &&
         ir::boolean_of(*as_of(*asked, kOwn, When::Earlier)) == false;
}

// -- What else the rounds leave

void SearchedStates::find_copies() {
  for (auto& [name, state] : states_) {
    const bool reads_itself = has_node(*after_.at(name), [&](const Expr& node) {
      return node.op == Op::State && node.symbol == name;
    });
    if ((state.given && state.stays) || reads_itself || read_.contains(name)) continue;
    ExprPtr before = with_arrivals(*as_of(*after_.at(name), kOwn, When::Unreached), kNone);
    ExprPtr reached = as_of(*after_.at(name), kOwn, When::Reached);
    const ExprPtr without_numbers = replaced(*reached, [&](const Expr& node) -> ExprPtr {
      if (!ir::is_state_of(node, kOwn)) return nullptr;
      const auto found = states_.find(node.symbol);
      const bool is_number = found != states_.end() && found->second.ahead && found->second.stays &&
                             found->second.first && !found->second.first_is_odd &&
                             !found->second.earlier;
      return is_number ? infinity(node.type) : nullptr;
    });
    if (changes(*before) || changes(*without_numbers)) continue;
    state.unreached = std::move(before);
    state.copy_of_reached = std::move(reached);
  }
}

ExprPtr SearchedStates::among_last(const Expr& reduction) const {
  bool is_of_last = false;
  ExprPtr made = reduction.clone();
  const bool is_any = reduction.reduction == Reduction::Any;
  for (const std::size_t i : {0U, 1U}) {
    if (!reduction.operands[i]) continue;
    if (i == 0 && !is_any) {
      made->operands[i] = as_of(*reduction.operands[i], kNeighbour, When::Last);
      continue;
    }
    ExprPtr others;
    for (const Expr* part : conjuncts(*reduction.operands[i])) {
      const auto of = [&](When when) { return ir::boolean_of(*as_of(*part, kNeighbour, when)); };
      if (of(When::Unreached) == false && of(When::Last) == true && of(When::Earlier) == false)
        is_of_last = true;
      else
        others = ir::both(std::move(others), as_of(*part, kNeighbour, When::Last));
    }
    made->operands[i] = others || i == 1 ? std::move(others) : ir::boolean(true);
  }
  return is_of_last ? std::move(made) : nullptr;
}

}  // namespace vertigo::compiler::passes
