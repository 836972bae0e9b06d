#include "compiler/ir/program/Expr.h"

#include <bit>

namespace vertigo::ir {

namespace {

// Bitwise for floating point, so that a NaN is the same as itself and -0.0 is not 0.0.
bool same_literal(const LiteralValue& a, const LiteralValue& b) {
  if (a.index() != b.index()) return false;
  if (const auto* x = std::get_if<double>(&a))
    return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(std::get<double>(b));
  return a == b;
}

}  // namespace

ExprPtr Expr::clone_without_operands() const {
  auto copy = std::make_unique<Expr>();
  copy->op = op;
  copy->type = type;
  copy->location = location;
  copy->symbol = symbol;
  copy->vertex = vertex;
  copy->value = value;
  copy->index = index;
  copy->direction = direction;
  copy->reduction = reduction;
  return copy;
}

ExprPtr Expr::clone() const {
  ExprPtr copy = clone_without_operands();
  copy->operands.reserve(operands.size());
  for (const ExprPtr& operand : operands)
    copy->operands.push_back(operand ? operand->clone() : nullptr);
  return copy;
}

bool same(const Expr& a, const Expr& b) {
  if (a.op != b.op || a.type != b.type || a.symbol != b.symbol || a.vertex != b.vertex ||
      !same_literal(a.value, b.value) || a.index != b.index || a.direction != b.direction ||
      a.reduction != b.reduction || a.operands.size() != b.operands.size())
    return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i) {
    const bool has_a = a.operands[i] != nullptr;
    const bool has_b = b.operands[i] != nullptr;
    if (has_a != has_b || (has_a && !same(*a.operands[i], *b.operands[i]))) return false;
  }
  return true;
}

ExprPtr boolean(bool value, Location location) {
  auto made = std::make_unique<Expr>();
  made->type = ScalarKind::Bool;
  made->location = location;
  made->value = value;
  return made;
}

std::optional<bool> boolean_of(const Expr& expr) {
  const auto* flag = std::get_if<bool>(&expr.value);
  return expr.op == Op::Literal && flag != nullptr ? std::optional(*flag) : std::nullopt;
}

std::optional<std::int64_t> integer_of(const Expr& expr) {
  const auto* number = std::get_if<std::int64_t>(&expr.value);
  return expr.op == Op::Literal && number != nullptr ? std::optional(*number) : std::nullopt;
}

ExprPtr both(ExprPtr a, ExprPtr b) {
  if (!a) return b;
  if (!b) return a;
  auto made = std::make_unique<Expr>();
  made->op = Op::And;
  made->type = ScalarKind::Bool;
  made->location = a->location;
  made->operands.push_back(std::move(a));
  made->operands.push_back(std::move(b));
  return made;
}

}  // namespace vertigo::ir
