#include "compiler/passes/program/ExprProperties.h"

#include <algorithm>

#include "compiler/ir/program/Uses.h"
#include "compiler/passes/program/Nodes.h"
#include "compiler/passes/program/Ranges.h"

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::ExprPtr;
using ir::Op;

namespace {

Trend flipped(Trend trend) {
  if (trend == Trend::Increasing) return Trend::Decreasing;
  if (trend == Trend::Decreasing) return Trend::Increasing;
  return trend;
}

// The trend of something that grows with both.
Trend joined(Trend a, Trend b) {
  if (a == Trend::Constant) return b;
  if (b == Trend::Constant || a == b) return a;
  return Trend::Unknown;
}

// Casts that never swap two values: to a wider integer, to floating point, between widths of it.
bool keeps_order(const ir::Type& from, const ir::Type& to) {
  if (!from.is_scalar() || !to.is_scalar()) return false;
  if (!ir::is_numeric(from.scalar()) || !ir::is_numeric(to.scalar())) return from == to;
  if (ir::is_float(to.scalar())) return true;
  if (ir::is_float(from.scalar())) return false;
  const auto width = [](ir::ScalarKind kind) {
    return kind == ir::ScalarKind::Int64 || kind == ir::ScalarKind::UInt64 ? 64 : 32;
  };
  const bool sign_lost =
      ir::is_signed_integer(from.scalar()) && ir::is_unsigned_integer(to.scalar());
  const bool sign_gained =
      ir::is_unsigned_integer(from.scalar()) && ir::is_signed_integer(to.scalar());
  return !sign_lost && width(to.scalar()) >= width(from.scalar()) + (sign_gained ? 1 : 0);
}

class TrendOf {
 public:
  explicit TrendOf(const Surroundings& around) : around_(around) {}

  Trend of(const Expr& expr) const {
    if (changing_read(expr, around_).empty()) return Trend::Constant;
    switch (expr.op) {
      case Op::Inbox:
        return expr.symbol == around_.inbox ? Trend::Increasing : Trend::Unknown;
      case Op::Multiply:
        return product(expr);
      case Op::Divide:
        return quotient(expr);
      case Op::Select:
        return operand(expr, 0) == Trend::Constant ? joined(operand(expr, 1), operand(expr, 2))
                                                   : Trend::Unknown;
      case Op::Cast:
        return keeps_order(expr.operands[0]->type, expr.type) || fits(*expr.operands[0], expr.type)
                   ? operand(expr, 0)
                   : Trend::Unknown;
      case Op::TupleElement:
        // Only the first element of a lexicographic order moves with the whole.
        return expr.index == 0 ? operand(expr, 0) : Trend::Unknown;
      case Op::MakeTuple:
        return tuple(expr);
      default:
        return by_table(expr);
    }
  }

 private:
  Trend operand(const Expr& expr, std::size_t which) const { return of(*expr.operands[which]); }

  /// No value of `expr` is changed by a cast to an integer type.
  bool fits(const Expr& expr, const ir::Type& type) const {
    if (!type.is_scalar() || !ir::is_integer(type.scalar()) || !expr.type.is_scalar() ||
        !ir::is_integer(expr.type.scalar()))
      return false;
    // Ends of types of 64 bits are rounded in a range.
    constexpr double kExact = 0x1p53;
    const Range values = range_of(expr, around_), room = ir::range_of(type);
    return values.low >= std::max(room.low, -kExact) && values.high <= std::min(room.high, kExact);
  }

  Trend by_table(const Expr& expr) const {
    const ir::OpInfo& op = ir::info(expr.op);
    if (op.trends[0] == Trend::Unknown) return Trend::Unknown;
    if (op.nan_below_zero && !nonnegative(*expr.operands[0], around_)) return Trend::Unknown;
    Trend all = Trend::Constant;
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      const Trend here = operand(expr, i);
      all = joined(all, op.trends[i] == Trend::Decreasing ? flipped(here) : here);
    }
    return all;
  }

  Trend product(const Expr& expr) const {
    const Trend a = operand(expr, 0);
    const Trend b = operand(expr, 1);
    if (nonnegative(*expr.operands[0], around_) && nonnegative(*expr.operands[1], around_))
      return joined(a, b);
    if (a == Trend::Constant && nonnegative(*expr.operands[0], around_)) return b;
    if (b == Trend::Constant && nonnegative(*expr.operands[1], around_)) return a;
    return Trend::Unknown;
  }

  Trend quotient(const Expr& expr) const {
    if (operand(expr, 1) != Trend::Constant || !nonnegative(*expr.operands[1], around_))
      return Trend::Unknown;
    // 0 / 0 is NaN and an integer division by zero has no value.
    const Expr& by = *expr.operands[1];
    return by.op == Op::Literal && !is_zero(by) ? operand(expr, 0) : Trend::Unknown;
  }

  // Lexicographic: a later element may move only while the earlier ones are the inbox's own, which
  // tie exactly when the inbox's do. `inbox + weight` ties where it saturates or rounds.
  Trend tuple(const Expr& expr) const {
    Trend all = Trend::Constant;
    bool exact = true;
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      const Expr& element = *expr.operands[i];
      const bool own = element.op == Op::TupleElement && element.index == i &&
                       is_inbox(*element.operands[0], around_.inbox);
      if (own && exact) {
        all = Trend::Increasing;
        continue;
      }
      const Trend here = of(element);
      if (here == Trend::Constant) {
        exact = false;
        continue;
      }
      if (i > 0) return Trend::Unknown;
      all = here;
      exact = false;
    }
    return all;
  }

  const Surroundings& around_;
};

ExprPtr combined(Op op, ExprPtr a, ExprPtr b) {
  auto expr = std::make_unique<Expr>();
  expr->op = op;
  expr->type = a->type;
  expr->operands.push_back(std::move(a));
  expr->operands.push_back(std::move(b));
  return expr;
}

ExprPtr literal_one(const ir::Type& type) {
  auto one = std::make_unique<Expr>();
  one->type = type;
  if (ir::is_float(type.scalar()))
    one->value = 1.0;
  else if (ir::is_signed_integer(type.scalar()))
    one->value = std::int64_t{1};
  else
    one->value = std::uint64_t{1};
  return one;
}

// Adds where both are there; the one that is there else.
ExprPtr sum_of(Op op, ExprPtr a, ExprPtr b) {
  if (!b) return a;
  if (a) return combined(op, std::move(a), std::move(b));
  if (op == Op::Add) return b;
  auto negated = std::make_unique<Expr>();
  negated->op = Op::Negate;
  negated->type = b->type;
  negated->operands.push_back(std::move(b));
  return negated;
}

ExprPtr scaled(Op op, ExprPtr part, const Expr& by) {
  if (!part) return nullptr;
  if (op == Op::Multiply && is_one(*part)) return by.clone();
  return combined(op, std::move(part), by.clone());
}

// coefficient and constant; a null coefficient with `linear` is zero.
struct Parts {
  bool linear = false;
  ExprPtr coefficient;
  ExprPtr constant;
};

class Linear {
 public:
  explicit Linear(const Surroundings& around) : around_(around) {}

  Parts of(const Expr& expr) const {
    if (changing_read(expr, around_).empty())
      return {true, nullptr, is_zero(expr) ? nullptr : expr.clone()};
    if (is_inbox(expr, around_.inbox) && expr.type.is_scalar() &&
        ir::is_numeric(expr.type.scalar()))
      return {true, literal_one(expr.type), nullptr};
    switch (expr.op) {
      case Op::Add:
      case Op::Subtract:
        return sum(expr);
      case Op::Multiply:
        return product(expr);
      case Op::Divide:
        return quotient(expr);
      case Op::Negate:
        return negation(expr);
      case Op::Cast:
        return cast(expr);
      default:
        return {};
    }
  }

 private:
  Parts sum(const Expr& expr) const {
    Parts a = of(*expr.operands[0]);
    Parts b = of(*expr.operands[1]);
    if (!a.linear || !b.linear) return {};
    return {true, sum_of(expr.op, std::move(a.coefficient), std::move(b.coefficient)),
            sum_of(expr.op, std::move(a.constant), std::move(b.constant))};
  }

  Parts product(const Expr& expr) const {
    for (const std::size_t side : {0U, 1U}) {
      const Expr& factor = *expr.operands[1 - side];
      if (!changing_read(factor, around_).empty()) continue;
      Parts part = of(*expr.operands[side]);
      if (!part.linear) return {};
      return {true, scaled(Op::Multiply, std::move(part.coefficient), factor),
              scaled(Op::Multiply, std::move(part.constant), factor)};
    }
    return {};
  }

  Parts quotient(const Expr& expr) const {
    const Expr& by = *expr.operands[1];
    // The division of integers drops a remainder, which is not linear.
    if (!ir::is_float(expr.type.scalar()) || !changing_read(by, around_).empty()) return {};
    Parts part = of(*expr.operands[0]);
    if (!part.linear) return {};
    return {true, scaled(Op::Divide, std::move(part.coefficient), by),
            scaled(Op::Divide, std::move(part.constant), by)};
  }

  Parts negation(const Expr& expr) const {
    Parts part = of(*expr.operands[0]);
    if (!part.linear) return {};
    return {true, sum_of(Op::Subtract, nullptr, std::move(part.coefficient)),
            sum_of(Op::Subtract, nullptr, std::move(part.constant))};
  }

  Parts cast(const Expr& expr) const {
    const ir::Type& from = expr.operands[0]->type;
    if (!keeps_order(from, expr.type)) return {};
    Parts part = of(*expr.operands[0]);
    if (!part.linear) return {};
    const auto wrap = [&](ExprPtr inner) -> ExprPtr {
      if (!inner) return nullptr;
      if (is_one(*inner)) return literal_one(expr.type);
      auto outer = std::make_unique<Expr>();
      outer->op = Op::Cast;
      outer->type = expr.type;
      outer->operands.push_back(std::move(inner));
      return outer;
    };
    return {true, wrap(std::move(part.coefficient)), wrap(std::move(part.constant))};
  }

  const Surroundings& around_;
};

}  // namespace

std::string changing_read(const Expr& expr, const Surroundings& around) {
  std::string found;
  ir::walk(expr, [&](const Expr& node) {
    if (!found.empty()) return;
    if (node.op == Op::Inbox) found = "inbox '" + node.symbol + "'";
    if (node.op == Op::Step) found = "'step'";
    if (node.op == Op::State && ir::writes(around.phase, node.symbol))
      found = "state '" + node.symbol + "', which the phase writes";
    if (node.op == Op::ExternCall) found = "the function '" + node.symbol + "' of a header";
  });
  return found;
}

bool reads_inbox(const Expr& expr, const std::string& message) {
  bool found = false;
  ir::walk(expr, [&](const Expr& node) { found = found || is_inbox(node, message); });
  return found;
}

bool is_inbox(const Expr& expr, const std::string& message) {
  return expr.op == Op::Inbox && expr.symbol == message;
}

bool is_element_of_inbox(const Expr& expr, const std::string& message, unsigned index) {
  return expr.op == Op::TupleElement && expr.index == index && is_inbox(*expr.operands[0], message);
}

bool is_same_for_all(const Expr& expr) {
  return !has_node(expr, [](const Expr& node) {
    switch (node.op) {
      case Op::Literal:
      case Op::Infinity:
      case Op::NoVertex:
      case Op::Parameter:
      case Op::HostVariable:
      case Op::VertexCount:
      case Op::EdgeCount:
      case Op::Cast:
      case Op::Select:
      case Op::MakeTuple:
        return false;
      default:
        return ir::info(node.op).takes == ir::Operands::Own;
    }
  });
}

bool is_zero(const Expr& expr) {
  if (expr.op == Op::Cast && expr.operands[0]) return is_zero(*expr.operands[0]);
  if (expr.op != Op::Literal || std::holds_alternative<bool>(expr.value)) return false;
  return std::visit([](auto number) { return number == 0; }, expr.value);
}

bool is_one(const Expr& expr) {
  if (expr.op != Op::Literal || std::holds_alternative<bool>(expr.value)) return false;
  return std::visit([](auto number) { return number == 1; }, expr.value);
}

bool nonnegative(const Expr& expr, const Surroundings& around) {
  if (!expr.type.is_scalar() || expr.type.scalar() == ir::ScalarKind::Bool) return false;
  return range_of(expr, around).low >= 0;
}

Trend trend(const Expr& expr, const Surroundings& around) { return TrendOf(around).of(expr); }

LinearForm linear_form(const Expr& expr, const Surroundings& around) {
  Parts parts = Linear(around).of(expr);
  if (!parts.linear || !parts.coefficient) return {};
  return {std::move(parts.coefficient), std::move(parts.constant)};
}

}  // namespace vertigo::compiler::passes
