#include "compiler/passes/program/FoldConstants.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/ir/program/OpRules.h"
#include "compiler/ir/program/Walk.h"
#include "compiler/passes/program/BuildExpr.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::LiteralValue;
using ir::Op;
using ir::ScalarKind;

namespace {

bool is_integer_literal(const Expr& expr, int wanted) {
  if (expr.op != Op::Literal || !expr.type.is_scalar() || !ir::is_integer(expr.type.scalar()))
    return false;
  if (const auto* number = std::get_if<std::int64_t>(&expr.value)) return *number == wanted;
  return std::get<std::uint64_t>(expr.value) == static_cast<std::uint64_t>(wanted);
}

bool is_literal_one(const Expr& expr) {
  const auto* number = std::get_if<double>(&expr.value);
  return is_integer_literal(expr, 1) ||
         (expr.op == Op::Literal && number != nullptr && *number == 1.0);
}

}  // namespace

bool is_extreme(const Expr& expr, bool largest) {
  if (expr.op == Op::MakeTuple) {
    for (const ExprPtr& element : expr.operands)
      if (!is_extreme(*element, largest)) return false;
    return true;
  }
  if (expr.op == Op::Infinity || expr.op == Op::NoVertex) return largest;
  if (expr.op == Op::Negate)
    return !largest && expr.operands[0]->op == Op::Infinity && ir::is_float(expr.type.scalar());
  if (expr.op != Op::Literal || !expr.type.is_scalar()) return false;
  switch (expr.type.scalar()) {
    case ScalarKind::Bool:
      return std::get<bool>(expr.value) == largest;
    case ScalarKind::Int32:
      return std::get<std::int64_t>(expr.value) == (largest
                                                        ? std::numeric_limits<std::int32_t>::max()
                                                        : std::numeric_limits<std::int32_t>::min());
    case ScalarKind::Int64:
      return std::get<std::int64_t>(expr.value) == (largest
                                                        ? std::numeric_limits<std::int64_t>::max()
                                                        : std::numeric_limits<std::int64_t>::min());
    case ScalarKind::UInt32:
    case ScalarKind::UInt64:
    case ScalarKind::Vertex:
      return !largest && std::get<std::uint64_t>(expr.value) == 0;
    default:
      return false;
  }
}

namespace {

// A literal of wide64 is kept as float64 and rounded by the targets.
bool is_wide(const Expr& expr) { return expr.type == ir::Type(ScalarKind::Wide64); }

class Folder {
 public:
  // Folds one node whose operands are folded; null where nothing can be done.
  ExprPtr fold(const Expr& expr) const {
    if (ExprPtr other = fold_literals(expr)) return other;
    if (ExprPtr other = fold_logic(expr)) return other;
    if (ExprPtr other = fold_not(expr)) return other;
    if (ExprPtr other = fold_truth(expr)) return other;
    if (ExprPtr other = fold_select(expr)) return other;
    if (ExprPtr other = fold_choice(expr)) return other;
    if (ExprPtr other = fold_difference(expr)) return other;
    if (ExprPtr other = fold_better(expr)) return other;
    if (ExprPtr other = fold_above_zero(expr)) return other;
    if (ExprPtr other = fold_extremes(expr)) return other;
    if (ExprPtr other = fold_same(expr)) return other;
    if (ExprPtr other = fold_neutral(expr)) return other;
    if (ExprPtr other = fold_no_bits(expr)) return other;
    if (ExprPtr other = fold_cast(expr)) return other;
    return fold_chosen(expr);
  }

 private:
  static ExprPtr literal(const Expr& from, ir::Type type, LiteralValue value) {
    auto expr = std::make_unique<Expr>();
    expr->type = std::move(type);
    expr->location = from.location;
    expr->value = value;
    return expr;
  }

  static ExprPtr fold_logic(const Expr& expr) {
    if (expr.op == Op::Not)
      if (const auto flag = ir::boolean_of(*expr.operands[0]))
        return ir::boolean(!*flag, expr.location);
    if (expr.op == Op::Select)
      if (const auto flag = ir::boolean_of(*expr.operands[0]))
        return expr.operands[*flag ? 1 : 2]->clone();
    if (expr.op != Op::And && expr.op != Op::Or) return nullptr;
    const bool decides = expr.op == Op::Or;
    for (const std::size_t side : {0U, 1U}) {
      const auto flag = ir::boolean_of(*expr.operands[side]);
      if (!flag) continue;
      if (*flag == decides) return ir::boolean(decides, expr.location);
      return expr.operands[1 - side]->clone();
    }
    return nullptr;
  }

  static bool may_be_nan(const Expr& expr) {
    return std::ranges::any_of(expr.type.elements, ir::is_float);
  }
  static ExprPtr comparison(const Expr& from, Op op, const Expr& a, const Expr& b) {
    ExprPtr expr = from.clone_without_operands();
    expr->op = op;
    expr->operands.push_back(a.clone());
    expr->operands.push_back(b.clone());
    return expr;
  }
  // !(a < b) is a >= b, unless one of them is no number. !!x is x.
  static ExprPtr fold_not(const Expr& expr) {
    if (expr.op != Op::Not) return nullptr;
    const Expr& inner = *expr.operands[0];
    if (inner.op == Op::Not) return inner.operands[0]->clone();
    if (!ir::info(inner.op).is_comparison() || may_be_nan(*inner.operands[0]) ||
        may_be_nan(*inner.operands[1]))
      return nullptr;
    return comparison(inner, ir::negated(inner.op), *inner.operands[0], *inner.operands[1]);
  }

  // x == true is x, x == false is !x.
  static ExprPtr fold_truth(const Expr& expr) {
    if (expr.op != Op::Equal && expr.op != Op::NotEqual) return nullptr;
    for (const std::size_t side : {0U, 1U}) {
      const auto flag = ir::boolean_of(*expr.operands[side]);
      if (!flag) continue;
      const Expr& other = *expr.operands[1 - side];
      if (*flag == (expr.op == Op::Equal)) return other.clone();
      ExprPtr opposite = negation(other.clone());
      ExprPtr folded = fold_not(*opposite);
      return folded ? std::move(folded) : std::move(opposite);
    }
    return nullptr;
  }

  // c ? true : false is c, c ? false : true is !c.
  static ExprPtr fold_select(const Expr& expr) {
    if (expr.op != Op::Select) return nullptr;
    const auto yes = ir::boolean_of(*expr.operands[1]), no = ir::boolean_of(*expr.operands[2]);
    if (!yes || !no || *yes == *no) return nullptr;
    if (*yes) return expr.operands[0]->clone();
    ExprPtr opposite = negation(expr.operands[0]->clone());
    ExprPtr folded = fold_not(*opposite);
    return folded ? std::move(folded) : std::move(opposite);
  }

  // min(a, b) < b is a < b, and so is min(a, b) != b of numbers; max alike.
  static ExprPtr fold_choice(const Expr& expr) {
    if (!ir::info(expr.op).is_comparison()) return nullptr;
    for (const std::size_t side : {0U, 1U}) {
      const Expr& choice = *expr.operands[side];
      const Expr& other = *expr.operands[1 - side];
      if (choice.op != Op::Min && choice.op != Op::Max) continue;
      const Op improves = choice.op == Op::Min ? Op::Less : Op::Greater;
      const Op seen = side == 0 ? improves : improves == Op::Less ? Op::Greater : Op::Less;
      if (expr.op != seen && (expr.op != Op::NotEqual || may_be_nan(other))) continue;
      for (const std::size_t which : {0U, 1U})
        if (ir::same(*choice.operands[which], other))
          return comparison(expr, improves, *choice.operands[1 - which], other);
    }
    return nullptr;
  }

  // a - b < 0 is a < b of signed integers, which stop at the ends of their type: inf - b is inf,
  // and above numbers; a - b >= 0 of integers likewise. Other comparisons differ: inf - inf is inf,
  // or none.
  static ExprPtr fold_difference(const Expr& expr) {
    if (!ir::info(expr.op).is_comparison()) return nullptr;
    for (const std::size_t side : {0U, 1U}) {
      const Expr& difference = *expr.operands[side];
      if (difference.op != Op::Subtract || !is_integer_literal(*expr.operands[1 - side], 0))
        continue;
      if (!ir::is_signed_integer(difference.type.scalar())) continue;
      const Expr &a = *difference.operands[0], &b = *difference.operands[1];
      if (expr.op == (side == 0 ? Op::Less : Op::Greater)) return comparison(expr, Op::Less, a, b);
      if (expr.op == (side == 0 ? Op::GreaterEqual : Op::LessEqual))
        return comparison(expr, Op::GreaterEqual, a, b);
    }
    return nullptr;
  }

  // a < b ? a : b is min(a, b) of integers, a > b ? a : b max(a, b).
  static ExprPtr fold_better(const Expr& expr) {
    if (expr.op != Op::Select || !expr.type.is_scalar() || !ir::is_integer(expr.type.scalar()))
      return nullptr;
    const Expr& condition = *expr.operands[0];
    const bool less = condition.op == Op::Less || condition.op == Op::LessEqual;
    if (!less && condition.op != Op::Greater && condition.op != Op::GreaterEqual) return nullptr;
    const Expr &a = *condition.operands[0], &b = *condition.operands[1];
    const Expr &yes = *expr.operands[1], &no = *expr.operands[2];
    const bool straight = ir::same(yes, a) && ir::same(no, b);
    if (!straight && !(ir::same(yes, b) && ir::same(no, a))) return nullptr;
    ExprPtr made = expr.clone_without_operands();
    made->op = less == straight ? Op::Min : Op::Max;
    made->operands.push_back(a.clone());
    made->operands.push_back(b.clone());
    return made;
  }

  // What is never below zero is above it where it is not zero: x > 0 of unsigned x. So are the bits
  // of x, where x is not zero.
  static ExprPtr fold_above_zero(const Expr& expr) {
    const bool left = expr.op == Op::Greater;
    if (!left && expr.op != Op::Less && expr.op != Op::NotEqual) return nullptr;
    const Expr& value = *expr.operands[left || expr.op == Op::NotEqual ? 0 : 1];
    const Expr& zero = *expr.operands[left || expr.op == Op::NotEqual ? 1 : 0];
    if (!is_integer_literal(zero, 0)) return nullptr;
    if (value.op == Op::Popcount) return comparison(expr, Op::NotEqual, *value.operands[0], zero);
    if (expr.op == Op::NotEqual || !ir::is_unsigned_integer(zero.type.scalar())) return nullptr;
    return comparison(expr, Op::NotEqual, value, zero);
  }

  // Nothing is larger than the largest value, whatever the other side is (NaN included).
  static ExprPtr fold_extremes(const Expr& expr) {
    const bool less = expr.op == Op::Less;
    if (!less && expr.op != Op::Greater) return nullptr;
    const Expr& a = *expr.operands[0];
    const Expr& b = *expr.operands[1];
    if (is_extreme(a, less) || is_extreme(b, !less)) return ir::boolean(false, expr.location);
    return nullptr;
  }

  // x < x holds nowhere. x == x does, unless it is no number.
  static ExprPtr fold_same(const Expr& expr) {
    if (!ir::info(expr.op).is_comparison() || !ir::same(*expr.operands[0], *expr.operands[1]))
      return nullptr;
    const Expr& operand = *expr.operands[0];
    const bool ordered = operand.op == Op::Infinity || !may_be_nan(operand);
    const bool result = ir::holds(expr.op, 0);
    const bool for_all = expr.op == Op::Less || expr.op == Op::Greater;
    return for_all || ordered ? ir::boolean(result, expr.location) : nullptr;
  }

  static ExprPtr fold_neutral(const Expr& expr) {
    const ir::OpInfo& op = ir::info(expr.op);
    if (!op.neutral) return nullptr;
    const auto is_neutral = [&](const ExprPtr& operand) {
      // Integers only: -0.0 + 0 is not -0.0.
      return *op.neutral == 0 ? is_integer_literal(*operand, 0) : is_literal_one(*operand);
    };
    if (is_neutral(expr.operands[1])) return expr.operands[0]->clone();
    if (op.commutative && is_neutral(expr.operands[0])) return expr.operands[1]->clone();
    return nullptr;
  }

  // No bit of 0 is left by `&`.
  static ExprPtr fold_no_bits(const Expr& expr) {
    if (expr.op != Op::BitAnd) return nullptr;
    for (const ExprPtr& operand : expr.operands)
      if (is_integer_literal(*operand, 0)) return operand->clone();
    return nullptr;
  }

  static ExprPtr fold_literals(const Expr& expr) {
    const ir::OpInfo& op = ir::info(expr.op);
    // What mathematical libraries round in their own ways stays.
    if (op.takes == ir::Operands::Own || op.takes == ir::Operands::Floats) return nullptr;
    std::vector<LiteralValue> values;
    for (const ExprPtr& operand : expr.operands) {
      if (operand->op != Op::Literal || operand->type != expr.operands[0]->type) return nullptr;
      values.push_back(operand->value);
    }
    const Expr& first = *expr.operands[0];
    if (is_wide(first) && expr.op != Op::Negate) return nullptr;
    // So does a division that has a value by the rules of the language alone.
    const bool is_integer = ir::is_integer(first.type.scalar());
    if (op.divides && is_integer &&
        (is_integer_literal(*expr.operands[1], 0) || is_integer_literal(*expr.operands[1], -1)))
      return nullptr;
    const auto value = ir::value_of(expr.op, first.type.scalar(), values);
    if (!value) return nullptr;
    if (const auto* number = std::get_if<double>(&*value); number && !std::isfinite(*number))
      return nullptr;
    return literal(expr, expr.type, *value);
  }

  // Between numbers, where the value survives; to float32 it is rounded as the targets round it.
  static ExprPtr fold_cast(const Expr& expr) {
    if (expr.op != Op::Cast || expr.operands[0]->op != Op::Literal || !expr.type.is_scalar())
      return nullptr;
    const Expr& from = *expr.operands[0];
    const ScalarKind to = expr.type.scalar();
    if (from.type == expr.type) return from.clone();
    if (is_wide(from)) return nullptr;
    if (!ir::is_numeric(from.type.scalar()) || !ir::is_numeric(to)) return nullptr;
    if (ir::is_float(to)) {
      const double number = std::visit([](auto x) { return static_cast<double>(x); }, from.value);
      return literal(
          expr, expr.type,
          to == ScalarKind::Float32 ? static_cast<double>(static_cast<float>(number)) : number);
    }
    if (ir::is_float(from.type.scalar())) return nullptr;
    const auto number = std::visit([](auto x) { return static_cast<__int128>(x); }, from.value);
    return fits(number, to) ? literal(expr, expr.type, integer_literal(number, to)) : nullptr;
  }

  // A literal and one of several literals: one of their results, or the one result that all have.
  ExprPtr fold_chosen(const Expr& expr) const {
    if (expr.op == Op::Select || expr.op == Op::MakeTuple) return nullptr;
    std::size_t choice = expr.operands.size();
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      if (!expr.operands[i]) return nullptr;
      if (expr.operands[i]->op == Op::Select && choice == expr.operands.size())
        choice = i;
      else if (expr.operands[i]->op != Op::Literal)
        return nullptr;
    }
    return choice == expr.operands.size() ? nullptr : fold_chosen(expr, choice);
  }
  ExprPtr fold_chosen(const Expr& expr, std::size_t choice) const {
    const Expr& select = *expr.operands[choice];
    ExprPtr made = select.clone_without_operands();
    made->type = expr.type;
    made->operands.push_back(select.operands[0]->clone());
    for (const std::size_t which : {1U, 2U}) {
      ExprPtr one = expr.clone_without_operands();
      for (std::size_t i = 0; i < expr.operands.size(); ++i)
        one->operands.push_back((i == choice ? select.operands[which] : expr.operands[i])->clone());
      ExprPtr result = fold(*one);
      if (result == nullptr || (result->op != Op::Literal && result->op != Op::Select))
        return nullptr;
      made->operands.push_back(std::move(result));
    }
    if (ir::same(*made->operands[1], *made->operands[2])) return std::move(made->operands[1]);
    ExprPtr condition = fold_select(*made);
    return condition ? std::move(condition) : std::move(made);
  }

  template <class T>
  static bool in_range(__int128 number) {
    return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max();
  }
  static bool fits(__int128 number, ScalarKind kind) {
    switch (kind) {
      case ScalarKind::Int32:
        return in_range<std::int32_t>(number);
      case ScalarKind::Int64:
        return in_range<std::int64_t>(number);
      case ScalarKind::UInt32:
        return in_range<std::uint32_t>(number);
      default:
        return in_range<std::uint64_t>(number);
    }
  }
  static LiteralValue integer_literal(__int128 number, ScalarKind kind) {
    if (ir::is_signed_integer(kind)) return static_cast<std::int64_t>(number);
    return static_cast<std::uint64_t>(number);
  }
};

}  // namespace

ExprPtr folded_expr(const Expr& expr) {
  ExprPtr copy = expr.clone();
  for (ExprPtr& operand : copy->operands)
    if (operand) operand = folded_expr(*operand);
  ExprPtr folded = Folder().fold(*copy);
  return folded ? std::move(folded) : std::move(copy);
}

void fold_constants(ir::Program& program, PassContext&) {
  // The walk goes children first, so one visit per node is enough.
  struct Fold {
    void phase(const ir::Phase&) const {}
    void stmt(const ir::Stmt&, const ir::Scope&) const {}
    void expr(Expr& expr, const ir::Scope&) const {
      if (ExprPtr folded = Folder().fold(expr)) {
        Expr result = std::move(*folded);
        expr = std::move(result);
      }
    }
  } fold;
  ir::ProgramWalk walk(program, fold);
  walk.run();
}

}  // namespace vertigo::compiler::passes
