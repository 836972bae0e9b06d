#include "compiler/passes/program/SearchRounds.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "compiler/passes/program/AddPhases.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/FoldConstants.h"
#include "compiler/passes/program/KnownValues.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Proofs.h"
#include "compiler/passes/program/Relaxation.h"
#include "compiler/passes/program/SearchedStates.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Reduction;

namespace {

/// The round in terms of the number by which a vertex was reached.
class Expression {
 public:
  Expression(const SearchSurroundings& around, const SearchedStates& states, SearchRounds& made)
      : around_(around), states_(states), made_(made) {}

  void run() {
    choose_state();
    express_arrival();
    made_.round.phases = around_.round.phases;
    made_.round.written = around_.round.written;
    made_.round.assigned = around_.round.assigned;
    made_.round.declared = around_.round.declared;
    made_.round.problem = around_.round.problem;
    made_.round.written.insert(made_.state);
    for (const auto& [name, kept] : states_.all())
      if (ExprPtr value = name == made_.state ? nullptr : end_of(name, kept))
        made_.round.states[name] = std::move(value);
    made_.round.states[made_.state] = after_->clone();
    for (const auto& [name, value] : around_.round.host)
      if (states_.numbers().counters().contains(name))
        made_.round.host[name] = counted(name, value->type);
      else if (!around_.round.limit)
        made_.round.host[name] = asked(*value);
    if (around_.round.condition) made_.round.condition = asked(*around_.round.condition);
  }

 private:
  /// A state of the program whose numbers say it, or a new one.
  void choose_state() {
    for (const auto& [name, kept] : states_.all()) {
      if (!kept.given || !kept.stays || !kept.first || !kept.ahead || kept.first_is_odd ||
          !is_extreme(*kept.unreached, true))
        continue;
      made_.state = name;
      first_ = *ir::integer_of(*kept.first);
      type_ = kept.unreached->type;
    }
    made_.is_new = made_.state.empty();
    if (made_.is_new) {
      type_ = ir::Type(ir::ScalarKind::Int32);
      made_.state = unused_name(around_.program, gathering_phase(around_.round).name + "_reached");
    }
    made_.beginning = selection(states_.starts().clone(), number(first_), infinity(type_));
  }

  ExprPtr number(std::int64_t value) const {
    ExprPtr made = leaf(Op::Literal, type_);
    made->value = value;
    return made;
  }
  ExprPtr own() const { return reached_of(kOwn); }
  ExprPtr reached_of(const std::string& vertex) const {
    ExprPtr made = leaf(Op::State, type_);
    made->symbol = made_.state;
    made->vertex = vertex;
    return made;
  }

  /// `min(t, min(u.t + 1 over …))`, under the condition of the vertex.
  void express_arrival() {
    ExprPtr least = own();
    for (const Arrival& arrival : states_.arrivals()) {
      ExprPtr reduction = leaf(Op::ReduceNeighbours, type_, arrival.location);
      reduction->reduction = Reduction::Min;
      reduction->direction = arrival.direction;
      reduction->symbol = SearchedStates::kNeighbour;
      reduction->vertex = kOwn;
      reduction->operands.push_back(
          operation(Op::Add, type_, reached_of(SearchedStates::kNeighbour), number(1)));
      reduction->operands.push_back(condition_of(arrival));
      reduction->operands.push_back(nullptr);
      least = operation(Op::Min, type_, std::move(least), std::move(reduction));
    }
    after_ = states_.condition() == nullptr || counts(*states_.condition())
                 ? std::move(least)
                 : selection(states_.condition()->clone(), std::move(least), own());
    after_ = simplified(*after_);
  }

  /// Over the neighbour that was reached in the round before the one that is counted.
  ExprPtr condition_of(const Arrival& arrival) const {
    ExprPtr made = arrival.condition ? of_neighbour(*arrival.condition) : nullptr;
    if (states_.condition() != nullptr && counts(*states_.condition()))
      made = ir::both(std::move(made), of_neighbour(*states_.condition()));
    const ExprPtr& limit = around_.round.limit;
    if (!limit || is_longest_way(*limit)) return made;
    ExprPtr rounds =
        operation(Op::Subtract, type_, reached_of(SearchedStates::kNeighbour), number(first_));
    const bool is_wide = type_ == ir::Type(ir::ScalarKind::Int64);
    const ir::Type& type = is_wide ? type_ : limit->type;
    return ir::both(std::move(made),
                    operation(Op::Less, ir::ScalarKind::Bool, as_type(std::move(rounds), type),
                              as_type(limit->clone(), type)));
  }
  bool counts(const Expr& expr) const {
    return has_node(expr,
                    [&](const Expr& node) { return states_.numbers().ahead(node).has_value(); });
  }
  ExprPtr of_neighbour(const Expr& expr) const {
    return replaced(expr, [&](const Expr& node) -> ExprPtr {
      const auto ahead = states_.numbers().ahead(node);
      if (!ahead) return nullptr;
      ExprPtr made = reached_of(SearchedStates::kNeighbour);
      if (*ahead != first_)
        made = operation(Op::Add, type_, std::move(made), number(*ahead - first_));
      return as_type(std::move(made), node.type);
    });
  }
  static ExprPtr as_type(ExprPtr expr, const ir::Type& type) {
    return expr->type == type ? std::move(expr) : operation(Op::Cast, type, std::move(expr));
  }

  ExprPtr is_reached() const {
    return operation(Op::Less, ir::ScalarKind::Bool, after_->clone(), infinity(type_));
  }
  /// The number of the round in which it was reached plus k.
  ExprPtr round_plus(std::int64_t k, const ir::Type& type) const {
    const std::int64_t more = k - first_ - 1;
    ExprPtr made = after_->clone();
    if (more != 0) made = operation(Op::Add, type_, std::move(made), number(more));
    return as_type(std::move(made), type);
  }

  /// What the rounds leave; null where that is more than a function of the number.
  ExprPtr end_of(const std::string& name, const SearchedState& kept) const {
    // What a limit ends may have reached somebody in its last round.
    const bool is_flag =
        kept.copy_of_reached || (kept.earlier && !ir::same(*kept.earlier, *kept.given));
    if (is_flag && around_.round.limit) return nullptr;
    if (kept.copy_of_reached)
      return selection(is_reached(), in_terms(*kept.copy_of_reached), in_terms(*kept.unreached));
    if (!kept.given || !kept.stays) return nullptr;
    // Those whom the search starts with have gone through a round, too.
    if (kept.earlier || !kept.first_is_odd) {
      ExprPtr reached = kept.earlier ? kept.earlier->clone() : in_terms(*kept.given);
      return ir::same(*reached, *kept.unreached)
                 ? std::move(reached)
                 : selection(is_reached(), std::move(reached), kept.unreached->clone());
    }
    ExprPtr begins = around_.beginning_of(name).value;
    ExprPtr given = in_terms(*kept.given);
    if (!begins || !given) return nullptr;
    ExprPtr is_later =
        operation(Op::NotEqual, ir::ScalarKind::Bool, after_->clone(), number(first_));
    return selection(ir::both(is_reached(), std::move(is_later)), std::move(given),
                     std::move(begins));
  }

  /// Counters as the number of the round in which the vertex was reached. Neighbours that were
  /// reached last are those with one less.
  ExprPtr in_terms(const Expr& expr) const {
    return replaced(expr, [&](const Expr& node) -> ExprPtr {
      if (node.op == Op::ReduceNeighbours) return of_last(node);
      if (const auto ahead = states_.numbers().ahead(node)) return round_plus(*ahead, node.type);
      if (ir::is_state_of(node, kOwn))
        if (const auto kept = states_.all().find(node.symbol);
            kept != states_.all().end() && kept->second.ahead && kept->second.stays)
          return round_plus(*kept->second.ahead, node.type);
      return nullptr;
    });
  }
  ExprPtr of_last(const Expr& reduction) const {
    ExprPtr made = states_.among_last(reduction);
    if (!made) return nullptr;
    for (ExprPtr& part : made->operands)
      if (part) part = in_terms(*part);
    ExprPtr before = operation(Op::Subtract, type_, after_->clone(), number(1));
    made->operands[1] =
        ir::both(operation(Op::Equal, ir::ScalarKind::Bool, reached_of(SearchedStates::kNeighbour),
                           std::move(before)),
                 std::move(made->operands[1]));
    return made;
  }

  /// After the last round, which reached nobody, or which the limit ended.
  ExprPtr counted(const std::string& counter, const ir::Type& type) const {
    ExprPtr rounds = around_.round.condition ? rounds_of_search() : nullptr;
    if (around_.round.limit) {
      const ir::Type& of_limit = around_.round.limit->type;
      ExprPtr limit =
          operation(Op::Max, of_limit, around_.round.limit->clone(), literal(0, of_limit));
      if (rounds) rounds = as_type(std::move(rounds), of_limit);
      rounds = rounds ? operation(Op::Min, of_limit, std::move(limit), std::move(rounds))
                      : std::move(limit);
    }
    rounds = as_type(std::move(rounds), type);
    ExprPtr begins = literal(states_.numbers().counters().at(counter), type);
    return simplified(*operation(Op::Add, type, std::move(rounds), std::move(begins)));
  }
  ExprPtr rounds_of_search() const {
    ExprPtr most = leaf(Op::ReduceVertices, type_);
    most->reduction = Reduction::Max;
    most->symbol = kOwn;
    most->operands.push_back(after_->clone());
    most->operands.push_back(is_reached());
    most->operands.push_back(nullptr);
    ExprPtr last = operation(Op::Max, type_, std::move(most), number(first_));
    return simplified(*operation(Op::Add, type_, std::move(last), number(1 - first_)));
  }

  /// Questions whether somebody was reached.
  ExprPtr asked(const Expr& value) const {
    return replaced(value, [&](const Expr& node) -> ExprPtr {
      if (node.op != Op::ReduceVertices) return nullptr;
      const bool is_any = node.reduction == Reduction::Any || node.reduction == Reduction::All;
      if (!is_any && node.reduction != Reduction::Count) return nullptr;
      ExprPtr test = node.operands[0] ? node.operands[0]->clone() : nullptr;
      if (node.reduction == Reduction::All) test = negated(std::move(test));
      test = ir::both(std::move(test), node.operands[1] ? node.operands[1]->clone() : nullptr);
      if (!test || !states_.asks_if_reached(*test)) return nullptr;
      ExprPtr moved = operation(Op::Less, ir::ScalarKind::Bool, after_->clone(), own());
      ExprPtr made = node.clone();
      if (is_any)
        made->operands[0] =
            node.reduction == Reduction::All ? negated(std::move(moved)) : std::move(moved);
      else
        made->operands[1] = std::move(moved);
      if (is_any) made->operands[1] = nullptr;
      return made;
    });
  }
  static ExprPtr negated(ExprPtr expr) { return simplified(*negation(std::move(expr))); }

  const SearchSurroundings& around_;
  const SearchedStates& states_;
  SearchRounds& made_;
  ir::Type type_;
  std::int64_t first_ = 0;  ///< of those whom the search starts with
  ExprPtr after_;
};

}  // namespace

std::string find_search(const SearchSurroundings& around, SearchRounds& found) {
  SearchedStates states(around);
  const std::string problem = states.find();
  found.is_search = states.is_search();
  if (!problem.empty()) return problem;
  Expression(around, states, found).run();
  return "";
}

}  // namespace vertigo::compiler::passes
