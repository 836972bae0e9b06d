// Conversions. The rule, as docs/language.md states it: a literal takes the type of its
// surroundings; an integer becomes a wider integer type that holds all its values, or a float where
// one is needed; float32 becomes float64, and both become wide64; everything else is written out.

#include <algorithm>
#include <limits>

#include "compiler/check/Checker.h"

namespace vertigo::compiler::check {
namespace {

std::uint64_t largest(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Int32:
      return std::numeric_limits<std::int32_t>::max();
    case ScalarKind::Int64:
      return std::numeric_limits<std::int64_t>::max();
    case ScalarKind::UInt32:
      return std::numeric_limits<std::uint32_t>::max();
    default:
      return std::numeric_limits<std::uint64_t>::max();
  }
}

bool is_unsigned(ScalarKind kind) {
  return kind == ScalarKind::UInt32 || kind == ScalarKind::UInt64;
}

std::uint64_t largest_literal(const Expr& expr) {
  std::uint64_t largest = 0;
  ast::walk(expr, [&](const Expr& node) {
    if (node.kind == ExprKind::Integer) largest = std::max(largest, node.integer);
  });
  return largest;
}

/// Taken in float64 where a wide64 is needed: wide64 has no such function.
bool is_elementary(const Expr& expr) {
  return expr.builtin == Builtin::Function && ir::info(expr.op).takes == ir::Operands::Floats;
}

}  // namespace

std::string in_words(const Type& type) { return ast::to_string(type); }

void Checker::wrap(ExprPtr& expr, ScalarKind target) {
  auto cast = std::make_unique<Expr>(ExprKind::Cast, expr->range);
  cast->type = target;
  cast->implicit = true;
  cast->operands.push_back(std::move(expr));
  expr = std::move(cast);
}

bool Checker::close_literal(Expr& expr, ScalarKind target, bool negative) {
  bool floating = Type(target).is_float();
  bool fits = true;
  if (expr.kind == ExprKind::Integer && !floating) {
    std::uint64_t limit = largest(target);
    if (negative) limit = is_unsigned(target) ? 0 : limit + 1;
    fits = expr.integer <= limit;
  } else if (expr.kind == ExprKind::Float) {
    fits = floating && (target != ScalarKind::Float32 ||
                        std::abs(expr.number) <= std::numeric_limits<float>::max());
  } else if (expr.kind == ExprKind::Reference) {
    fits = !negative || !is_unsigned(target);
  }
  if (!fits)
    diagnostics_.report(diag::LiteralOutOfRange, expr.range,
                        (negative ? "-" : "") + diagnostics_.text(expr.range).str(),
                        ast::to_string(target));
  expr.type = target;
  return fits;
}

bool Checker::close(ExprPtr& expr, ScalarKind target) {
  if (!expr->type.is_open()) return convert(expr, target);
  if (target == ScalarKind::Wide64 && is_elementary(*expr)) {
    bool fits = close(expr, ScalarKind::Float64);
    wrap(expr, ScalarKind::Wide64);
    return fits;
  }
  // Literals are of no type until now, so that only here is seen what a remainder is of.
  if (ir::info(expr->op).takes == ir::Operands::Integers && Type(target).is_float()) {
    expr->type = target;
    report_operands(*expr, target, target);
    return false;
  }
  bool negated = expr->kind == ExprKind::Unary && expr->op == ir::Op::Negate &&
                 expr->operands[0]->operands.empty() && expr->operands[0]->kind != ExprKind::Call;
  expr->type = target;
  switch (expr->kind) {
    case ExprKind::Integer:
    case ExprKind::Float:
    case ExprKind::Reference:
      return close_literal(*expr, target, false);
    case ExprKind::Unary:
      return negated ? close_literal(*expr->operands[0], target, true)
                     : close(expr->operands[0], target);
    default:
      break;
  }
  if (ir::is_shift(expr->op)) {
    const bool fits = close(expr->operands[0], target);
    return close_amount(expr->operands[1], target) && fits;
  }
  bool good = true;
  for (std::size_t i = expr->kind == ExprKind::Conditional ? 1 : 0; i < expr->operands.size(); ++i)
    good = close(expr->operands[i], target) && good;
  return good;
}

// Conversions stop at the ends of a type, and what is past its width or below 0 stays there.
bool Checker::close_amount(ExprPtr& amount, ScalarKind target) {
  if (amount->type.is_open()) return close(amount, target);
  if (!amount->type.is(target)) wrap(amount, target);
  return true;
}

Type Checker::settle(ExprPtr& expr) {
  if (!expr->type.is_open()) return expr->type;
  if (expr->type.form == Type::Form::OpenInfinity) {
    diagnostics_.report(diag::TypeUnknown, expr->range, diagnostics_.text(expr->range))
        .note("write its type, as in 'float64(inf)'");
    return expr->type = Type::Form::Error;
  }
  if (expr->type.form == Type::Form::OpenFloat) {
    close(expr, ScalarKind::Float64);
    return expr->type;
  }
  const std::uint64_t literal = largest_literal(*expr);
  ScalarKind kind = literal <= largest(ScalarKind::Int32)   ? ScalarKind::Int32
                    : literal <= largest(ScalarKind::Int64) ? ScalarKind::Int64
                                                            : ScalarKind::UInt64;
  close(expr, kind);
  return expr->type;
}

void Checker::settle_compared(ExprPtr& a, ExprPtr& b, const Type& common) {
  ScalarKind kind = ScalarKind::Float64;
  if (common.form == Type::Form::OpenInteger) {
    const std::uint64_t literal = std::max(largest_literal(*a), largest_literal(*b));
    kind = literal <= largest(ScalarKind::Int64) ? ScalarKind::Int64 : ScalarKind::UInt64;
  }
  close(a, kind);
  close(b, kind);
}

bool Checker::convert(ExprPtr& expr, const Type& target) {
  const Type from = expr->type;
  if (from.is_error() || target.is_error()) return true;
  if (from.is_open()) {
    bool fits = target.is_scalar() && target.is_number() &&
                (from.form != Type::Form::OpenFloat || target.is_float());
    if (fits) return close(expr, target.elements[0]);
  } else if (from.same(target)) {
    return true;
  } else if (from.is_scalar() && target.is_scalar()) {
    if (ast::converts_implicitly(from.elements[0], target.elements[0])) {
      wrap(expr, target.elements[0]);
      return true;
    }
    if (from.is_number() && target.is_number()) {
      std::string to = ast::to_string(target);
      diagnostics_.report(diag::Narrowing, expr->range, ast::to_string(from), to)
          .fix({expr->range.begin, expr->range.begin, expr->range.file}, to + "(")
          .fix({expr->range.end, expr->range.end, expr->range.file}, ")");
      expr->type = Type::Form::Error;
      return false;
    }
  }
  diagnostics_.report(diag::TypeMismatch, expr->range, in_words(target), in_words(from));
  expr->type = Type::Form::Error;
  return false;
}

Type Checker::unify(ExprPtr& a, ExprPtr& b) {
  const Type left = a->type, right = b->type;
  if (left.is_error() || right.is_error()) return Type::Form::Error;
  if (left.is_open() && right.is_open()) {
    if (left.form == Type::Form::OpenFloat || right.form == Type::Form::OpenFloat)
      return Type::Form::OpenFloat;
    return left.form == Type::Form::OpenInfinity ? right : left;
  }
  if (left.is_open() || right.is_open()) {
    const Type& open = left.is_open() ? left : right;
    const Type& value = left.is_open() ? right : left;
    if (!value.is_scalar() || !value.is_number()) return Type::Form::Nothing;
    if (open.form == Type::Form::OpenFloat && value.is_integer()) return Type::Form::OpenFloat;
    convert(left.is_open() ? a : b, value);
    return value;
  }
  if (left.same(right)) return left;
  if (left.is_scalar() && right.is_scalar() && left.is_number() && right.is_number()) {
    if (auto common = ast::common_scalar(left.elements[0], right.elements[0])) {
      convert(a, *common);
      convert(b, *common);
      return *common;
    }
  }
  return Type::Form::Nothing;
}

}  // namespace vertigo::compiler::check
