#include "compiler/emit/common/ExprText.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Expr;
using ir::Op;
using ir::ScalarKind;

namespace {

// Binding strength: larger binds tighter.
enum Strength : int {
  kLowestStrength = 0,
  kSelect = 1,
  kOr = 2,
  kAnd = 3,
  kEquality = 4,
  kOrder = 5,
  kSum = 6,
  kProduct = 7,
  kUnary = 8,
  kPrimary = 9,
};

struct Text {
  std::string text;
  int strength;
};

std::string in_brackets(const Text& text, int at_least) {
  return text.strength >= at_least ? text.text : "(" + text.text + ")";
}

bool is_float(const ir::Type& type) { return type.is_scalar() && ir::is_float(type.scalar()); }

// The fewest digits that are read back as the value, a float's as a float; the value is finite.
std::string shortest_digits(double value, ScalarKind kind) {
  char digits[64];
  const auto end =
      kind == ScalarKind::Float32
          ? std::to_chars(digits, digits + sizeof digits, static_cast<float>(value)).ptr
          : std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, end};
}

std::string digits_of(double value, ScalarKind kind) {
  const std::string type = kind == ScalarKind::Float32 ? "float" : "double";
  // The language has no word for it, but constants are folded: inf - inf.
  if (std::isnan(value)) return "(kInfinity<" + type + "> - kInfinity<" + type + ">)";
  if (std::isinf(value)) return (value < 0 ? "-kInfinity<" : "kInfinity<") + type + ">";
  std::string text = shortest_digits(value, kind);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return kind == ScalarKind::Float32 ? text + "f" : text;
}

Text signed_text(std::int64_t value, ScalarKind kind) {
  const bool is_32 = kind == ScalarKind::Int32;
  const std::int64_t lowest = is_32 ? std::numeric_limits<std::int32_t>::lowest()
                                    : std::numeric_limits<std::int64_t>::lowest();
  if (value == lowest) return {"kLowest<" + cpp_type(kind) + ">", kPrimary};
  if (is_32) return {std::to_string(value), value < 0 ? kUnary : kPrimary};
  return {"std::int64_t{" + std::to_string(value) + "}", kPrimary};
}

Text literal_text(const Expr& e) {
  if (const auto* flag = std::get_if<bool>(&e.value)) return {*flag ? "true" : "false", kPrimary};
  const ScalarKind kind = e.type.scalar();
  if (const auto* number = std::get_if<double>(&e.value))
    return kind == ScalarKind::Wide64
               ? Text{"Wide64{" + digits_of(*number, kind) + "}", kPrimary}
               : Text{digits_of(*number, kind), std::signbit(*number) ? kUnary : kPrimary};
  if (const auto* number = std::get_if<std::int64_t>(&e.value)) return signed_text(*number, kind);
  const std::uint64_t number = std::get<std::uint64_t>(e.value);
  if (kind == ScalarKind::UInt32) return {std::to_string(number) + "u", kPrimary};
  if (kind == ScalarKind::Vertex) return {"Vertex{" + std::to_string(number) + "}", kPrimary};
  return {"std::uint64_t{" + std::to_string(number) + "u}", kPrimary};
}

Text print(const Expr& e);

Text infix(const Expr& e, const char* mark, int strength) {
  const std::string left = in_brackets(print(*e.operands[0]), strength);
  // The right operand needs more: a - (b - c).
  const std::string right = in_brackets(print(*e.operands[1]), strength + 1);
  return {left + " " + mark + " " + right, strength};
}

std::string arguments(const Expr& e) {
  std::string text = "(";
  for (std::size_t i = 0; i < e.operands.size(); ++i)
    text += (i > 0 ? ", " : "") + print(*e.operands[i]).text;
  return text + ")";
}

Text call(const std::string& function, const Expr& e) {
  return {function + arguments(e), kPrimary};
}

Text arithmetic(const Expr& e, const char* mark, int strength, const char* function) {
  return is_float(e.type) ? infix(e, mark, strength) : call(function, e);
}

Text connective(const Expr& e, Op op, const char* mark, int strength) {
  std::string text;
  for (const auto& operand : e.operands) {
    const Text part = print(*operand);
    // `&&` inside `||` is bracketed for the reader.
    const bool plain = operand->op == op || (part.strength > strength && part.strength != kAnd);
    if (!text.empty()) text += std::string(" ") + mark + " ";
    text += plain ? part.text : "(" + part.text + ")";
  }
  return {text, strength};
}

Text negation(const Expr& e) {
  if (!is_float(e.type)) return call("negate_saturating", e);
  const std::string operand = in_brackets(print(*e.operands[0]), kPrimary);
  return {"-" + operand, kUnary};
}

// A count or degree, which the graph has as 64-bit unsigned, in the type that the program gave it.
Text converted(const std::string& text, const ir::Type& type) {
  return {"convert<" + cpp_type(type) + ">(" + text + ")", kPrimary};
}

Text leaf(const Expr& e) {
  switch (e.op) {
    case Op::Literal:
      return literal_text(e);
    case Op::Infinity:
      return {"kInfinity<" + cpp_type(e.type) + ">", kPrimary};
    case Op::NoVertex:
      return {"kNoVertex", kPrimary};
    case Op::BoundVertex:
      return {cpp_name(e.vertex), kPrimary};
    case Op::OutDegree:
      return converted("out_degree(graph, " + cpp_name(e.vertex) + ")", e.type);
    case Op::InDegree:
      return converted("in_degree(graph, " + cpp_name(e.vertex) + ")", e.type);
    case Op::VertexCount:
      return converted("graph.vertex_count", e.type);
    case Op::EdgeCount:
      return converted("graph.edge_count", e.type);
    case Op::Step:
      return {"step", kPrimary};
    default:
      return {cpp_name(e.symbol), kPrimary};
  }
}

Text element(const Expr& e) {
  if (e.operands.empty() && e.index == 1)
    return {"value_of(" + cpp_name(e.symbol) + ")", kPrimary};           // a threshold
  if (e.operands.empty()) return {cpp_name(e.symbol) + "()", kPrimary};  // a vertex reduction
  const std::string slot = cpp_name(e.symbol) + "[" + print(*e.operands[0]).text + "]";
  return {e.index == 1 ? "load_relaxed(" + slot + ")" : slot, kPrimary};
}

Text tuple(const Expr& e) {
  const auto braces = [&](const auto& self, std::size_t from) -> std::string {
    const std::string head = "{" + print(*e.operands[from]).text + ", ";
    if (from + 2 == e.operands.size()) return head + print(*e.operands[from + 1]).text + "}";
    return head + self(self, from + 1) + "}";
  };
  return {cpp_type(e.type) + braces(braces, 0), kPrimary};
}

Text print(const Expr& e) {
  switch (e.op) {
    case Op::Negate:
      return negation(e);
    case Op::Not:
      return {"!" + in_brackets(print(*e.operands[0]), kUnary), kUnary};
    case Op::Abs:
      return call("absolute", e);
    case Op::Sqrt:
      return call("square_root", e);
    case Op::Exp:
      return call("exponential", e);
    case Op::Log:
      return call("logarithm", e);
    case Op::Add:
      return arithmetic(e, "+", kSum, "add_saturating");
    case Op::Subtract:
      return arithmetic(e, "-", kSum, "subtract_saturating");
    case Op::Multiply:
      return arithmetic(e, "*", kProduct, "multiply_saturating");
    case Op::Divide:
      return arithmetic(e, "/", kProduct, "divide");
    case Op::Modulo:
      return call("modulo", e);
    case Op::Min:
      return call("minimum", e);
    case Op::Max:
      return call("maximum", e);
    case Op::Equal:
      return infix(e, "==", kEquality);
    case Op::NotEqual:
      return infix(e, "!=", kEquality);
    case Op::Less:
      return infix(e, "<", kOrder);
    case Op::LessEqual:
      return infix(e, "<=", kOrder);
    case Op::Greater:
      return infix(e, ">", kOrder);
    case Op::GreaterEqual:
      return infix(e, ">=", kOrder);
    case Op::And:
      return connective(e, Op::And, "&&", kAnd);
    case Op::Or:
      return connective(e, Op::Or, "||", kOr);
    case Op::Select:
      return {in_brackets(print(*e.operands[0]), kOr) + " ? " +
                  in_brackets(print(*e.operands[1]), kOr) + " : " +
                  in_brackets(print(*e.operands[2]), kSelect),
              kSelect};
    case Op::Cast:
      if (e.operands[0]->type == e.type) return print(*e.operands[0]);
      return call("convert<" + cpp_type(e.type) + ">", e);
    case Op::MakeTuple:
      return tuple(e);
    case Op::TupleElement:
      return call("get<" + std::to_string(e.index) + ">", e);
    case Op::Call:
    case Op::ExternCall:
      return call(cpp_name(e.symbol), e);
    case Op::Random:
      return {"random_unit(graph, " + print(*e.operands[0]).text + ", " +
                  print(*e.operands[1]).text + ")",
              kPrimary};
    case Op::Load:
      return element(e);
    case Op::TestBit:
      return {"test_bit(" + cpp_name(e.symbol) + ", " + print(*e.operands[0]).text + ")", kPrimary};
    default:
      return leaf(e);
  }
}

}  // namespace

std::string double_text(double value) {
  return value == 0 ? "0" : digits_of(value, ScalarKind::Float64);
}
std::string expr_text(const Expr& expr) { return print(expr).text; }
std::string operand_text(const Expr& expr) { return in_brackets(print(expr), kUnary); }

std::string default_text(const Expr* expr) {
  if (expr == nullptr) return "";
  switch (expr->op) {
    case Op::Infinity:
      return "inf";
    case Op::NoVertex:
      return "none";
    case Op::Negate: {
      const std::string positive = default_text(expr->operands[0].get());
      return positive.empty() ? "" : "-" + positive;
    }
    case Op::Cast:
      return default_text(expr->operands[0].get());
    case Op::Literal:
      break;
    default:
      return "";
  }
  if (const auto* flag = std::get_if<bool>(&expr->value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&expr->value)) {
    const bool lowest = expr->type.scalar() == ScalarKind::Int32
                            ? *number == std::numeric_limits<std::int32_t>::min()
                            : *number == std::numeric_limits<std::int64_t>::min();
    return lowest ? "-inf" : std::to_string(*number);
  }
  if (const auto* number = std::get_if<std::uint64_t>(&expr->value)) return std::to_string(*number);
  const double number = std::get<double>(expr->value);
  if (std::isnan(number)) return "";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  return shortest_digits(number, expr->type.scalar());
}

}  // namespace vertigo::compiler::emit
