#include "compiler/check/Evaluate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compiler/ir/program/OpRules.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace vertigo::compiler::check {

using ast::Builtin;
using ast::Expr;
using ast::ExprKind;
using ast::ScalarKind;
using ast::Type;
using ir::Op;

namespace {

struct Range {
  __int128 low, high;
};

Range range_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Bool:
      return {0, 1};
    case ScalarKind::Int32:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    case ScalarKind::Int64:
      return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
    case ScalarKind::UInt64:
      return {0, std::numeric_limits<std::uint64_t>::max()};
    default:
      return {0, std::numeric_limits<std::uint32_t>::max()};
  }
}

bool is_float(ScalarKind kind) { return Type(kind).is_float(); }

Scalar make_integer(ScalarKind kind, __int128 value) {
  Range range = range_of(kind);
  return {kind, std::clamp(value, range.low, range.high), 0};
}

Scalar make_number(ScalarKind kind, double value) {
  // The conversion from double to float is what rounds, and it must not trap on overflow: infinity
  // is meant.
  return {kind, 0,
          kind == ScalarKind::Float32 ? static_cast<double>(static_cast<float>(value)) : value};
}

Constant scalar(Scalar value) { return {{value}}; }
Constant boolean(bool value) { return scalar({ScalarKind::Bool, value, 0}); }
bool truth(const Constant& value) { return value.elements[0].integer != 0; }

int compare(const Scalar& a, const Scalar& b) {
  if (is_float(a.kind)) return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
  return a.integer < b.integer ? -1 : a.integer > b.integer ? 1 : 0;
}

int compare(const Constant& a, const Constant& b) {
  for (std::size_t i = 0; i < a.elements.size(); ++i)
    if (int order = compare(a.elements[i], b.elements[i]); order != 0) return order;
  return 0;
}

bool has_nan(const Constant& value) {
  return std::any_of(value.elements.begin(), value.elements.end(), [](const Scalar& each) {
    return is_float(each.kind) && std::isnan(each.number);
  });
}

Scalar cast(const Scalar& value, ScalarKind to) {
  if (is_float(to))
    return make_number(to,
                       is_float(value.kind) ? value.number : static_cast<double>(value.integer));
  if (!is_float(value.kind)) return make_integer(to, value.integer);
  if (std::isnan(value.number)) return make_integer(to, 0);
  // Cut off towards zero; outside of 64 bits the range decides.
  double bounded = std::clamp(value.number, -1e30, 1e30);
  return make_integer(to, static_cast<__int128>(bounded));
}

ir::LiteralValue literal(const Scalar& value) {
  if (value.kind == ScalarKind::Bool) return value.integer != 0;
  if (is_float(value.kind)) return value.number;
  if (range_of(value.kind).low < 0) return static_cast<std::int64_t>(value.integer);
  return static_cast<std::uint64_t>(value.integer);
}

Constant constant(ScalarKind kind, const ir::LiteralValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return boolean(*flag);
  if (const auto* number = std::get_if<double>(&value)) return scalar(make_number(kind, *number));
  const auto* negative = std::get_if<std::int64_t>(&value);
  return scalar(make_integer(kind, negative != nullptr
                                       ? static_cast<__int128>(*negative)
                                       : static_cast<__int128>(std::get<std::uint64_t>(value))));
}

std::string text(const Scalar& value) {
  std::string result;
  llvm::raw_string_ostream out(result);
  if (value.kind == ScalarKind::Bool)
    out << (value.integer != 0 ? "true" : "false");
  else if (is_float(value.kind))
    out << llvm::format("%g", value.number);
  else if (value.integer == range_of(value.kind).high)
    out << (value.kind == ScalarKind::Vertex ? "none" : "inf");
  else if (value.integer < 0)
    out << static_cast<std::int64_t>(value.integer);
  else
    out << static_cast<std::uint64_t>(value.integer);
  return result;
}

std::vector<Scalar> scalar_samples(ScalarKind kind) {
  std::vector<Scalar> result;
  if (kind == ScalarKind::Bool) {
    for (int value : {0, 1}) result.push_back(make_integer(kind, value));
  } else if (is_float(kind)) {
    for (double value : {0.0, 1.0, -1.0, 0.5, 3.0, 10.0})
      result.push_back(make_number(kind, value));
  } else if (kind == ScalarKind::Vertex) {
    for (int value : {0, 1, 2}) result.push_back(make_integer(kind, value));
    result.push_back(make_integer(kind, range_of(kind).high));
  } else {
    for (int value : {0, 1, 2, 3, 7, -1, -5})
      if (value >= range_of(kind).low) result.push_back(make_integer(kind, value));
  }
  return result;
}

}  // namespace

__int128 lowest(ScalarKind kind) { return range_of(kind).low; }
__int128 highest(ScalarKind kind) { return range_of(kind).high; }

std::string to_string(const Constant& value) {
  if (value.elements.size() == 1) return text(value.elements[0]);
  std::string result = "(";
  for (const Scalar& each : value.elements) result += (result.size() > 1 ? ", " : "") + text(each);
  return result + ")";
}

bool agree(const Constant& a, const Constant& b) {
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    const Scalar& x = a.elements[i];
    const Scalar& y = b.elements[i];
    if (!is_float(x.kind)) {
      if (x.integer != y.integer) return false;
      continue;
    }
    if (x.number == y.number || (std::isnan(x.number) && std::isnan(y.number))) continue;
    double bound = (x.kind == ScalarKind::Float32 ? 1e-4 : 1e-9) *
                   std::max({1.0, std::abs(x.number), std::abs(y.number)});
    if (!(std::abs(x.number - y.number) <= bound)) return false;
  }
  return true;
}

std::vector<Constant> sample_values(const Type& type, const Constant& extra) {
  // Every first element with a rotating choice of the others: tuples need variety, not the whole
  // product.
  std::vector<Constant> result = {extra};
  std::vector<std::vector<Scalar>> choices;
  for (ScalarKind kind : type.elements) choices.push_back(scalar_samples(kind));
  std::size_t rounds = type.is_tuple() ? 2 : 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < choices[0].size(); ++i) {
      Constant value;
      for (std::size_t k = 0; k < choices.size(); ++k)
        value.elements.push_back(choices[k][(i + k * round) % choices[k].size()]);
      result.push_back(std::move(value));
    }
  }
  return result;
}

std::optional<Constant> Evaluator::call(const ast::Function& function,
                                        std::vector<Constant> arguments) {
  if (!function.body) return std::nullopt;
  std::map<const ast::Decl*, Constant> outer;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    outer[function.parameters[i].get()] = std::move(arguments[i]);
  outer.swap(variables_);
  std::optional<Constant> result = evaluate(*function.body);
  outer.swap(variables_);
  return result;
}

std::optional<Constant> Evaluator::reference(const Expr& expr) {
  if (expr.builtin == Builtin::NoVertex)
    return scalar(make_integer(ScalarKind::Vertex, range_of(ScalarKind::Vertex).high));
  if (expr.builtin == Builtin::Infinity && expr.type.is_scalar()) {
    ScalarKind kind = expr.type.elements[0];
    return scalar(is_float(kind) ? make_number(kind, std::numeric_limits<double>::infinity())
                                 : make_integer(kind, range_of(kind).high));
  }
  auto found = variables_.find(expr.decl);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::optional<Constant> Evaluator::operation(const Expr& expr) {
  // `-inf` is the lowest value, not the negated largest.
  const bool lowest = expr.op == Op::Negate && expr.operands[0]->builtin == Builtin::Infinity;
  if (lowest && expr.type.is_integer()) {
    const ScalarKind kind = expr.type.elements[0];
    return scalar(make_integer(kind, range_of(kind).low));
  }
  std::vector<Constant> values;
  for (const ast::ExprPtr& operand : expr.operands) {
    auto value = evaluate(*operand);
    if (!value) return value;
    if ((expr.op == Op::And && !truth(*value)) || (expr.op == Op::Or && truth(*value)))
      return value;
    values.push_back(std::move(*value));
  }
  if (ir::info(expr.op).is_comparison()) {
    if (has_nan(values[0]) || has_nan(values[1])) return boolean(expr.op == Op::NotEqual);
    return boolean(ir::holds(expr.op, compare(values[0], values[1])));
  }
  std::vector<ir::LiteralValue> literals;
  for (const Constant& value : values) literals.push_back(literal(value.elements[0]));
  const ScalarKind kind = values[0].elements[0].kind;
  const auto result = ir::value_of(expr.op, kind, literals);
  return result ? std::optional(constant(kind, *result)) : std::nullopt;
}

std::optional<Constant> Evaluator::evaluate(const Expr& expr) {
  if (++steps_ > kMaxSteps || depth_ >= kMaxDepth || expr.type.form != Type::Form::Value)
    return std::nullopt;
  ++depth_;
  std::optional<Constant> result = node(expr);
  --depth_;
  return result;
}

std::optional<Constant> Evaluator::node(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Integer:
    case ExprKind::Float:
    case ExprKind::Bool: {
      ScalarKind kind = expr.type.elements[0];
      if (expr.kind == ExprKind::Float) return scalar(make_number(kind, expr.number));
      if (is_float(kind)) return scalar(make_number(kind, static_cast<double>(expr.integer)));
      return scalar(make_integer(kind, expr.integer));
    }
    case ExprKind::Reference:
      return reference(expr);
    case ExprKind::Member: {
      if (expr.operands[0]->type.is_vertex()) return std::nullopt;
      auto base = evaluate(*expr.operands[0]);
      if (!base) return base;
      return scalar(base->elements[expr.element]);
    }
    case ExprKind::Unary:
    case ExprKind::Binary:
      return operation(expr);
    case ExprKind::Conditional: {
      auto condition = evaluate(*expr.operands[0]);
      if (!condition) return condition;
      return evaluate(*expr.operands[truth(*condition) ? 1 : 2]);
    }
    case ExprKind::Cast: {
      auto operand = evaluate(*expr.operands[0]);
      if (!operand) return operand;
      return scalar(cast(operand->elements[0], expr.type.elements[0]));
    }
    case ExprKind::Tuple: {
      Constant value;
      for (const ast::ExprPtr& operand : expr.operands) {
        auto element = evaluate(*operand);
        if (!element) return element;
        value.elements.push_back(element->elements[0]);
      }
      return value;
    }
    case ExprKind::Call: {
      if (expr.builtin == Builtin::Function) return operation(expr);
      std::vector<Constant> arguments;
      for (const ast::ExprPtr& operand : expr.operands) {
        auto value = evaluate(*operand);
        if (!value) return value;
        arguments.push_back(std::move(*value));
      }
      return call(*static_cast<const ast::Function*>(expr.decl), std::move(arguments));
    }
    case ExprKind::Reduction:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace vertigo::compiler::check
