#include "compiler/passes/program/FirstWitness.h"

#include <algorithm>
#include <utility>

#include "compiler/ir/program/Ops.h"
#include "compiler/passes/program/BuildExpr.h"
#include "compiler/passes/program/SymbolicUpdate.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;
using ir::Reduction;

namespace {

/// `reduction` compared with something that is the same for all neighbours.
struct Question {
  const Expr& reduction;
  const Expr& bound;
  unsigned holds_if;  ///< bits of ir::kLess and so on, of the reduction
};

const Expr* condition_of(const Expr& reduction) { return reduction.operands[1].get(); }

/// `any(value over … u where condition)`, or that there is none.
ExprPtr any_of(const Expr& reduction, ExprPtr value, const Expr* condition, bool is_some) {
  ExprPtr any = reduction.clone_without_operands();
  any->reduction = Reduction::Any;
  any->type = ir::ScalarKind::Bool;
  any->operands.push_back(std::move(value));
  any->operands.push_back(condition == nullptr ? nullptr : condition->clone());
  any->operands.push_back(nullptr);
  return is_some ? std::move(any) : negation(std::move(any));
}

/// A count of 1 tells as much as any larger one.
ExprPtr asked_of_count(const Question& question) {
  const auto bound = ir::integer_of(question.bound);
  const Expr* const condition = condition_of(question.reduction);
  if (!bound || *bound < 0 || *bound > 1 || condition == nullptr) return nullptr;
  const auto holds_of = [&](std::int64_t count) {
    const unsigned order = count < *bound ? ir::kLess : count > *bound ? ir::kGreater : ir::kEqual;
    return (question.holds_if & order) != 0;
  };
  if (holds_of(0) == holds_of(1) || holds_of(1) != holds_of(2)) return nullptr;
  return any_of(question.reduction, condition->clone(), nullptr, holds_of(1));
}

/// NaN is passed over by a minimum, and less than nothing.
bool has_floats(const ir::Type& type) {
  return std::ranges::any_of(type.elements, [](ir::ScalarKind kind) {
    return ir::is_float(kind) || kind == ir::ScalarKind::Wide64;
  });
}

/// Over no neighbours a minimum is the greatest value of its type, which is below no bound, and
/// there is no neighbour whose value is.
ExprPtr asked_of_extreme(const Question& question) {
  const Expr& reduction = question.reduction;
  if (has_floats(reduction.type)) return nullptr;
  const bool is_least = reduction.reduction == Reduction::Min;
  const unsigned beyond = is_least ? ir::kLess : ir::kGreater;
  const unsigned within = (ir::kLess | ir::kEqual | ir::kGreater) & ~beyond;
  if (question.holds_if != beyond && question.holds_if != within) return nullptr;
  return any_of(
      reduction,
      comparison(is_least ? Op::Less : Op::Greater, *reduction.operands[0], question.bound),
      condition_of(reduction), question.holds_if == beyond);
}

/// What was computed once a vertex will be once an edge.
bool costs_nothing(const Expr& bound) {
  bool cheap = true;
  ir::walk(bound, [&](const Expr& e) {
    switch (e.op) {
      case Op::Literal:
      case Op::Infinity:
      case Op::NoVertex:
      case Op::Parameter:
      case Op::HostVariable:
      case Op::Local:
      case Op::BoundVertex:
      case Op::MakeTuple:
        break;
      case Op::State:
        cheap = cheap && e.operands.empty();
        break;
      default:
        cheap = false;
    }
  });
  return cheap;
}

unsigned exchanged(unsigned holds_if) {
  return (holds_if & ir::kEqual) | ((holds_if & ir::kLess) != 0 ? ir::kGreater : 0u) |
         ((holds_if & ir::kGreater) != 0 ? ir::kLess : 0u);
}

ExprPtr asked(const Expr& node) {
  const unsigned holds_if = ir::info(node.op).holds_if;
  if (holds_if == 0) return nullptr;
  const bool stands_left = node.operands[0]->op == Op::ReduceNeighbours;
  const Expr& reduction = *node.operands[stands_left ? 0 : 1];
  const Expr& bound = *node.operands[stands_left ? 1 : 0];
  if (reduction.op != Op::ReduceNeighbours || !costs_nothing(bound)) return nullptr;
  const Question question{reduction, bound, stands_left ? holds_if : exchanged(holds_if)};
  switch (reduction.reduction) {
    case Reduction::Count:
      return asked_of_count(question);
    case Reduction::Min:
    case Reduction::Max:
      return asked_of_extreme(question);
    default:
      return nullptr;
  }
}

}  // namespace

ExprPtr ask_for_witnesses(const Expr& expr) {
  bool found = false;
  ExprPtr made = replaced(expr, [&](const Expr& node) {
    ExprPtr other = asked(node);
    found = found || other != nullptr;
    return other;
  });
  return found ? std::move(made) : nullptr;
}

}  // namespace vertigo::compiler::passes
