#include "compiler/passes/program/Ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace vertigo::compiler::passes {

using ir::Expr;
using ir::Op;
using ir::ScalarKind;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Integers up to here are exact in double.
constexpr double kExact = 0x1p53;
/// Of a rounded result, in any of the language's floating types; much more than it is.
constexpr double kRounding = 0x1p-20;

bool is_number(const ir::Type& type) { return type.is_scalar() && ir::is_numeric(type.scalar()); }

Range whole() { return {-kInf, kInf}; }

Range joined(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Range common(Range a, Range b) {
  const Range both{std::max(a.low, b.low), std::min(a.high, b.high)};
  return both.low <= both.high ? both : a;  // else what follows is never computed
}

/// The exact results lie in `range`; those of the type, too, once this is done.
Range rounded(Range range, const ir::Type& type) {
  if (std::isnan(range.low)) range.low = -kInf;
  if (std::isnan(range.high)) range.high = kInf;
  const bool is_float = ir::is_float(type.scalar());
  const auto widened = [&](double end, double outwards) {
    if (end == 0 || std::isinf(end) || (!is_float && std::fabs(end) < kExact)) return end;
    return end + outwards * std::fabs(end) * kRounding;
  };
  // Nothing is rounded across 0.
  Range wide{widened(range.low, -1), widened(range.high, 1)};
  if (range.low >= 0) wide.low = std::max(wide.low, 0.0);
  if (range.high <= 0) wide.high = std::min(wide.high, 0.0);
  const Range all = range_of(type);
  return {std::clamp(wide.low, all.low, all.high), std::clamp(wide.high, all.low, all.high)};
}

// 0 times infinity is no number.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

class RangeOf {
 public:
  explicit RangeOf(const Surroundings& around) : around_(around) {}

  Range of(const Expr& expr) {
    if (!is_number(expr.type)) return range_of(expr.type);
    Range range = common(range_of(expr.type), computed(expr));
    for (const Known& known : known_)
      if (ir::same(*known.expr, expr)) range = common(range, known.range);
    return range;
  }

 private:
  /// What a condition says of an expression, in the branch where it holds.
  struct Known {
    const Expr* expr;
    Range range;
  };

  Range operand(const Expr& expr, std::size_t i) { return of(*expr.operands[i]); }

  Range computed(const Expr& e) {
    switch (e.op) {
      case Op::Literal:
        return std::visit(
            [](auto number) -> Range {
              const auto value = static_cast<double>(number);
              return {value, value};
            },
            e.value);
      case Op::Infinity: {
        const double end = range_of(e.type).high;
        return {end, end};
      }
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
      case Op::VertexCount:
      case Op::EdgeCount:
      case Op::Step:
      case Op::Random:
      case Op::CommonNeighbours:
      case Op::Exp:
      case Op::Sqrt:
        return {0, kInf};
      case Op::Inbox:
        return e.symbol == around_.inbox && around_.inbox_nonnegative ? Range{0, kInf} : whole();
      case Op::EdgeAttribute:
        return around_.weights_nonnegative ? Range{0, kInf} : whole();
      case Op::ReduceNeighbours:
        return e.reduction == ir::Reduction::Count ? Range{0, kInf} : whole();
      case Op::Cast:
        return cast(e);
      case Op::Select:
        return select(e);
      default:
        return e.operands.empty() ? whole() : arithmetic(e);
    }
  }

  Range arithmetic(const Expr& e) {
    for (const ir::ExprPtr& each : e.operands)
      if (!each || !is_number(each->type)) return whole();
    const Range a = operand(e, 0);
    const Range b = e.operands.size() > 1 ? operand(e, 1) : a;
    const double most = range_of(e.type).high;
    switch (e.op) {
      case Op::Negate:
        return rounded({-a.high, -a.low}, e.type);
      case Op::Abs:
        return magnitude(a);
      case Op::Min:
        return {std::min(a.low, b.low), std::min(a.high, b.high)};
      case Op::Max:
        return {std::max(a.low, b.low), std::max(a.high, b.high)};
      case Op::Add: {
        // `inf` stays what it is.
        const bool absorbs = a.high >= most || b.high >= most;
        return rounded({a.low + b.low, absorbs ? most : a.high + b.high}, e.type);
      }
      case Op::Subtract:
        return rounded({a.low - b.high, a.high >= most ? most : a.high - b.low}, e.type);
      case Op::Multiply:
        return multiply(e, a, b);
      case Op::Divide:
        return divide(a, b, e.type);
      case Op::Modulo: {
        // The sign of the dividend, and no larger than it.
        return {std::min(a.low, 0.0), std::max(a.high, 0.0)};
      }
      default:
        return whole();
    }
  }

  static Range magnitude(Range a) {
    if (a.low >= 0) return a;
    return {a.high < 0 ? -a.high : 0, std::max(-a.low, a.high)};
  }

  static Range multiply(const Expr& e, Range a, Range b) {
    const double ends[] = {product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                           product(a.high, b.high)};
    Range range{*std::ranges::min_element(ends), *std::ranges::max_element(ends)};
    if (ir::same(*e.operands[0], *e.operands[1])) range.low = std::max(range.low, 0.0);
    return rounded(range, e.type);
  }

  // By 0, an integer gives 0, and a floating number anything.
  static Range divide(Range a, Range b, const ir::Type& type) {
    if (ir::is_float(type.scalar())) {
      if (b.low < 0) return whole();
      return {a.low >= 0 ? 0 : -kInf, a.high <= 0 ? 0 : kInf};
    }
    const double most = std::max(std::fabs(a.low), std::fabs(a.high));
    const bool same_signs = a.low >= 0 && b.low >= 0;
    return rounded({same_signs ? 0 : -most, most}, type);
  }

  Range cast(const Expr& e) {
    const Expr& from = *e.operands[0];
    if (from.type == ir::Type(ScalarKind::Bool)) return {0, 1};
    if (!is_number(from.type)) return whole();
    Range range = of(from);
    const bool cut_off = ir::is_float(from.type.scalar()) && !ir::is_float(e.type.scalar());
    // What is no number becomes 0, and the rest is cut off towards it.
    if (cut_off)
      range = {std::min(0.0, std::ceil(range.low)), std::max(0.0, std::floor(range.high))};
    return rounded(range, e.type);
  }

  Range select(const Expr& e) {
    const std::size_t before = known_.size();
    learn(*e.operands[0], true);
    const Range yes = of(*e.operands[1]);
    known_.resize(before);
    learn(*e.operands[0], false);
    const Range no = of(*e.operands[2]);
    known_.resize(before);
    return joined(yes, no);
  }

  void learn(const Expr& condition, bool holds) {
    switch (condition.op) {
      case Op::Not:
        return learn(*condition.operands[0], !holds);
      case Op::And:
      case Op::Or:
        if (holds != (condition.op == Op::And)) return;
        learn(*condition.operands[0], holds);
        return learn(*condition.operands[1], holds);
      case Op::Less:
      case Op::LessEqual:
        return holds ? learn_order(condition, 0, 1) : learn_order(condition, 1, 0);
      case Op::Greater:
      case Op::GreaterEqual:
        return holds ? learn_order(condition, 1, 0) : learn_order(condition, 0, 1);
      case Op::Equal:
        if (!holds) return;
        learn_order(condition, 0, 1);
        return learn_order(condition, 1, 0);
      default:
        return;
    }
  }

  // Operand `lower` is at most operand `upper`, or one of them is no number.
  void learn_order(const Expr& condition, std::size_t lower, std::size_t upper) {
    const Expr& a = *condition.operands[lower];
    const Expr& b = *condition.operands[upper];
    if (!is_number(a.type) || !is_number(b.type)) return;
    const Range low = of(a), high = of(b);
    // Of floating numbers nothing is learnt by what might be none: the comparison is false then.
    if (b.op == Op::Literal || !ir::is_float(b.type.scalar()))
      known_.push_back({&a, {-kInf, high.high}});
    if (a.op == Op::Literal || !ir::is_float(a.type.scalar()))
      known_.push_back({&b, {low.low, kInf}});
  }

  const Surroundings& around_;
  std::vector<Known> known_;
};

}  // namespace

Range range_of(const ir::Type& type) {
  if (!type.is_scalar()) return whole();
  switch (type.scalar()) {
    case ScalarKind::Int32:
      return {-0x1p31, 0x1p31 - 1};
    case ScalarKind::Int64:
      return {-0x1p63, 0x1p63};
    case ScalarKind::UInt32:
    case ScalarKind::Vertex:
      return {0, 0x1p32 - 1};
    case ScalarKind::UInt64:
      return {0, 0x1p64};
    default:
      return whole();
  }
}

Range range_of(const Expr& expr, const Surroundings& around) { return RangeOf(around).of(expr); }

}  // namespace vertigo::compiler::passes
