#include "compiler/passes/program/FoldConstants.h"

#include <cmath>
#include <limits>
#include <optional>

#include "compiler/ir/program/Walk.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::LiteralValue;
using ir::Op;
using ir::ScalarKind;

namespace {

std::optional<bool> bool_of(const Expr& expr) {
  if (expr.op != Op::Literal) return std::nullopt;
  const auto* flag = std::get_if<bool>(&expr.value);
  return flag != nullptr ? std::optional(*flag) : std::nullopt;
}

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

// The largest (smallest) value that the type has, so that nothing is above (below) it.
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

template <class T>
T saturated(Op op, T a, T b) {
  T result{};
  const bool overflow = op == Op::Add        ? __builtin_add_overflow(a, b, &result)
                        : op == Op::Subtract ? __builtin_sub_overflow(a, b, &result)
                                             : __builtin_mul_overflow(a, b, &result);
  if (!overflow) return result;
  const bool down = op == Op::Add        ? a < 0
                    : op == Op::Subtract ? std::is_unsigned_v<T> || a < 0
                                         : (a < 0) != (b < 0);
  return down ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}

// In the width of the type; empty where the operation is not folded.
template <class T>
std::optional<T> integer(Op op, T a, T b) {
  switch (op) {
    case Op::Add:
    case Op::Subtract:
    case Op::Multiply:
      return saturated(op, a, b);
    case Op::Divide:
      if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1))) return std::nullopt;
      return static_cast<T>(a / b);
    case Op::Min:
      return std::min(a, b);
    case Op::Max:
      return std::max(a, b);
    default:
      return std::nullopt;
  }
}

template <class T>
std::optional<double> floating(Op op, T a, T b) {
  T result{};
  if (op == Op::Add)
    result = a + b;
  else if (op == Op::Subtract)
    result = a - b;
  else if (op == Op::Multiply)
    result = a * b;
  else if (op == Op::Divide)
    result = a / b;
  else
    return std::nullopt;
  return std::isfinite(result) ? std::optional<double>(result) : std::nullopt;
}

template <class T>
std::optional<bool> compared(Op op, T a, T b) {
  switch (op) {
    case Op::Equal:
      return a == b;
    case Op::NotEqual:
      return a != b;
    case Op::Less:
      return a < b;
    case Op::LessEqual:
      return a <= b;
    case Op::Greater:
      return a > b;
    case Op::GreaterEqual:
      return a >= b;
    default:
      return std::nullopt;
  }
}

// A literal of wide64 is kept as float64 and rounded by the targets.
bool is_wide(const Expr& expr) { return expr.type == ir::Type(ScalarKind::Wide64); }

class Folder {
 public:
  // Folds one node whose operands are folded; null where nothing can be done.
  ExprPtr fold(const Expr& expr) const {
    if (ExprPtr other = fold_logic(expr)) return other;
    if (ExprPtr other = fold_extremes(expr)) return other;
    if (ExprPtr other = fold_neutral(expr)) return other;
    if (ExprPtr other = fold_literals(expr)) return other;
    if (ExprPtr other = fold_cast(expr)) return other;
    return fold_negation(expr);
  }

 private:
  static ExprPtr literal(const Expr& from, ir::Type type, LiteralValue value) {
    auto expr = std::make_unique<Expr>();
    expr->type = std::move(type);
    expr->location = from.location;
    expr->value = value;
    return expr;
  }
  static ExprPtr boolean(const Expr& from, bool value) {
    return literal(from, ScalarKind::Bool, value);
  }

  static ExprPtr fold_logic(const Expr& expr) {
    if (expr.op == Op::Not)
      if (const auto flag = bool_of(*expr.operands[0])) return boolean(expr, !*flag);
    if (expr.op == Op::Select)
      if (const auto flag = bool_of(*expr.operands[0]))
        return expr.operands[*flag ? 1 : 2]->clone();
    if (expr.op != Op::And && expr.op != Op::Or) return nullptr;
    const bool decides = expr.op == Op::Or;
    for (const std::size_t side : {0U, 1U}) {
      const auto flag = bool_of(*expr.operands[side]);
      if (!flag) continue;
      if (*flag == decides) return boolean(expr, decides);
      return expr.operands[1 - side]->clone();
    }
    return nullptr;
  }

  // Nothing is larger than the largest value, whatever the other side is (NaN included).
  static ExprPtr fold_extremes(const Expr& expr) {
    const bool less = expr.op == Op::Less;
    if (!less && expr.op != Op::Greater) return nullptr;
    const Expr& a = *expr.operands[0];
    const Expr& b = *expr.operands[1];
    if (is_extreme(a, less) || is_extreme(b, !less)) return boolean(expr, false);
    return nullptr;
  }

  static ExprPtr fold_neutral(const Expr& expr) {
    if (expr.operands.size() != 2) return nullptr;
    const Expr& a = *expr.operands[0];
    const Expr& b = *expr.operands[1];
    if (expr.op == Op::Multiply && is_literal_one(b)) return a.clone();
    if (expr.op == Op::Multiply && is_literal_one(a)) return b.clone();
    if (expr.op == Op::Divide && is_literal_one(b)) return a.clone();
    // Integers only: -0.0 + 0 is not -0.0.
    if ((expr.op == Op::Add || expr.op == Op::Subtract) && is_integer_literal(b, 0))
      return a.clone();
    if (expr.op == Op::Add && is_integer_literal(a, 0)) return b.clone();
    return nullptr;
  }

  static ExprPtr fold_literals(const Expr& expr) {
    if (expr.operands.size() != 2 || !expr.operands[0] || !expr.operands[1]) return nullptr;
    const Expr& a = *expr.operands[0];
    const Expr& b = *expr.operands[1];
    if (a.op != Op::Literal || b.op != Op::Literal || a.type != b.type) return nullptr;
    if (is_wide(a)) return nullptr;
    if (const auto result = std::visit(
            [&](auto x) { return compared(expr.op, x, std::get<decltype(x)>(b.value)); }, a.value);
        result && expr.type == ir::Type(ScalarKind::Bool))
      return boolean(expr, *result);
    if (!expr.type.is_scalar()) return nullptr;
    const auto value = arithmetic(expr.op, expr.type.scalar(), a.value, b.value);
    return value ? literal(expr, expr.type, *value) : nullptr;
  }

  template <class T, class Wide>
  static std::optional<LiteralValue> integers(Op op, const LiteralValue& a, const LiteralValue& b) {
    const auto result =
        integer<T>(op, static_cast<T>(std::get<Wide>(a)), static_cast<T>(std::get<Wide>(b)));
    if (!result) return std::nullopt;
    return LiteralValue(static_cast<Wide>(*result));
  }

  static std::optional<LiteralValue> arithmetic(Op op, ScalarKind kind, const LiteralValue& a,
                                                const LiteralValue& b) {
    std::optional<double> number;
    switch (kind) {
      case ScalarKind::Int32:
        return integers<std::int32_t, std::int64_t>(op, a, b);
      case ScalarKind::Int64:
        return integers<std::int64_t, std::int64_t>(op, a, b);
      case ScalarKind::UInt32:
        return integers<std::uint32_t, std::uint64_t>(op, a, b);
      case ScalarKind::UInt64:
        return integers<std::uint64_t, std::uint64_t>(op, a, b);
      case ScalarKind::Float32:
        number = floating(op, static_cast<float>(std::get<double>(a)),
                          static_cast<float>(std::get<double>(b)));
        break;
      case ScalarKind::Float64:
        number = floating(op, std::get<double>(a), std::get<double>(b));
        break;
      default:
        break;
    }
    if (!number) return std::nullopt;
    return LiteralValue(*number);
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

  static ExprPtr fold_negation(const Expr& expr) {
    if (expr.op != Op::Negate || expr.operands[0]->op != Op::Literal) return nullptr;
    const Expr& a = *expr.operands[0];
    if (const auto* number = std::get_if<double>(&a.value))
      return literal(expr, expr.type, -*number);
    const auto* number = std::get_if<std::int64_t>(&a.value);
    if (number == nullptr) return nullptr;
    const auto value = arithmetic(Op::Subtract, expr.type.scalar(), LiteralValue(std::int64_t{0}),
                                  LiteralValue(*number));
    return value ? literal(expr, expr.type, *value) : nullptr;
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
