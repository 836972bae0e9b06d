#include "compiler/emit/common/ExprText.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "compiler/emit/common/FoldText.h"
#include "compiler/emit/common/Names.h"

namespace vertigo::compiler::emit {

using ir::Expr;
using ir::Op;
using ir::ScalarKind;
using ir::Strength;

namespace {

struct Text {
  std::string text;
  Strength strength;
};

/// What the right operand of an infix needs: a - (b - c).
Strength tighter(Strength strength) {
  return static_cast<Strength>(static_cast<int>(strength) + 1);
}

std::string in_brackets(const Text& text, Strength at_least) {
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
  if (value == lowest) return {"kLowest<" + cpp_type(kind) + ">", Strength::Primary};
  if (is_32) return {std::to_string(value), value < 0 ? Strength::Unary : Strength::Primary};
  return {"std::int64_t{" + std::to_string(value) + "}", Strength::Primary};
}

Text literal_text(const Expr& e) {
  if (const auto* flag = std::get_if<bool>(&e.value))
    return {*flag ? "true" : "false", Strength::Primary};
  const ScalarKind kind = e.type.scalar();
  if (const auto* number = std::get_if<double>(&e.value))
    return kind == ScalarKind::Wide64
               ? Text{"Wide64{" + digits_of(*number, kind) + "}", Strength::Primary}
               : Text{digits_of(*number, kind),
                      std::signbit(*number) ? Strength::Unary : Strength::Primary};
  if (const auto* number = std::get_if<std::int64_t>(&e.value)) return signed_text(*number, kind);
  const std::uint64_t number = std::get<std::uint64_t>(e.value);
  if (kind == ScalarKind::UInt32) return {std::to_string(number) + "u", Strength::Primary};
  if (kind == ScalarKind::Vertex)
    return {"Vertex{" + std::to_string(number) + "}", Strength::Primary};
  return {"std::uint64_t{" + std::to_string(number) + "u}", Strength::Primary};
}

Text print(const Expr& e);

Text infix(const Expr& e, const ir::OpInfo& op) {
  const std::string left = in_brackets(print(*e.operands[0]), op.strength);
  const std::string right = in_brackets(print(*e.operands[1]), tighter(op.strength));
  return {left + " " + std::string(op.sign) + " " + right, op.strength};
}

std::string arguments(const Expr& e) {
  std::string text = "(";
  for (std::size_t i = 0; i < e.operands.size(); ++i)
    text += (i > 0 ? ", " : "") + print(*e.operands[i]).text;
  return text + ")";
}

Text call(const std::string& function, const Expr& e) {
  return {function + arguments(e), Strength::Primary};
}

Text connective(const Expr& e, const ir::OpInfo& op) {
  std::string text;
  for (const auto& operand : e.operands) {
    const Text part = print(*operand);
    // `&&` inside `||` is bracketed for the reader.
    const bool plain =
        operand->op == op.op || (part.strength > op.strength && part.strength != Strength::And);
    if (!text.empty()) text += " " + std::string(op.sign) + " ";
    text += plain ? part.text : "(" + part.text + ")";
  }
  return {text, op.strength};
}

Text prefix(const Expr& e, const ir::OpInfo& op) {
  // Two minus signs would be a decrement.
  const Strength needed = e.op == Op::Negate ? Strength::Primary : Strength::Unary;
  return {std::string(op.sign) + in_brackets(print(*e.operands[0]), needed), op.strength};
}

// As Ops.def says.
Text operation(const Expr& e, const ir::OpInfo& op) {
  const bool has_sign = op.strength != Strength::None && (op.function.empty() || is_float(e.type));
  if (!has_sign) return call(std::string(op.function), e);
  if (op.source == ir::Source::Prefix) return prefix(e, op);
  return op.takes == ir::Operands::Bools ? connective(e, op) : infix(e, op);
}

// A count or degree, which the graph has as 64-bit unsigned, in the type that the program gave it.
Text converted(const std::string& text, const ir::Type& type) {
  return {"convert<" + cpp_type(type) + ">(" + text + ")", Strength::Primary};
}

Text leaf(const Expr& e) {
  switch (e.op) {
    case Op::Literal:
      return literal_text(e);
    case Op::Infinity:
      return {"kInfinity<" + cpp_type(e.type) + ">", Strength::Primary};
    case Op::NoVertex:
      return {"kNoVertex", Strength::Primary};
    case Op::BoundVertex:
      return {cpp_name(e.vertex), Strength::Primary};
    case Op::OutDegree:
      return converted("out_degree(graph, " + cpp_name(e.vertex) + ")", e.type);
    case Op::InDegree:
      return converted("in_degree(graph, " + cpp_name(e.vertex) + ")", e.type);
    case Op::VertexCount:
      return converted("graph.vertex_count", e.type);
    case Op::EdgeCount:
      return converted("graph.edge_count", e.type);
    case Op::Step:
      return {"step", Strength::Primary};
    case Op::EdgeAtHand:
      return {"edge_at_hand", Strength::Primary};
    default:
      return {cpp_name(e.symbol), Strength::Primary};
  }
}

Text element(const Expr& e) {
  if (e.operands.empty() && e.index == 1)
    return {"value_of(" + cpp_name(e.symbol) + ")", Strength::Primary};  // a threshold
  if (e.operands.empty())
    return {cpp_name(e.symbol) + "()", Strength::Primary};  // a vertex reduction
  const std::string slot = cpp_name(e.symbol) + "[" + print(*e.operands[0]).text + "]";
  return {e.index == 1 ? "load_relaxed(" + slot + ")" : slot, Strength::Primary};
}

Text tuple(const Expr& e) {
  std::string text = cpp_type(e.type) + "{";
  for (std::size_t i = 0; i < e.operands.size(); ++i)
    text += (i > 0 ? ", " : "") + print(*e.operands[i]).text;
  return {text + "}", Strength::Primary};
}

// What chooses edges is asked by whoever goes through the lists.
Text intersection(const Expr& e) {
  std::string text =
      "common_neighbours(graph, " + print(*e.operands[0]).text + ", " + print(*e.operands[1]).text;
  if (e.operands.size() > 2) text += ", " + edge_function(*e.operands[2]);
  return {text + ")", Strength::Primary};
}

/// What may be chosen. Of two variables `? :` makes a variable, whose address a kernel does not
/// have where it is a constant of a class.
Text print_chosen(const Expr& e) {
  const Text text = print(e);
  const bool is_wide = e.type == ir::Type(ir::ScalarKind::Wide64);
  return e.op == Op::Infinity && is_wide ? Text{"Wide64(" + text.text + ")", Strength::Primary}
                                         : text;
}

Text print(const Expr& e) {
  if (const ir::OpInfo& op = ir::info(e.op); op.takes != ir::Operands::Own) return operation(e, op);
  switch (e.op) {
    case Op::Select:
      return {in_brackets(print(*e.operands[0]), Strength::Or) + " ? " +
                  in_brackets(print_chosen(*e.operands[1]), Strength::Or) + " : " +
                  in_brackets(print_chosen(*e.operands[2]), Strength::Select),
              Strength::Select};
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
    case Op::ListSize:
      return {"list_size(" + cpp_name(e.symbol) + ")", Strength::Primary};
    case Op::ListItem:
      return {"list_item(" + cpp_name(e.symbol) + ", " + print(*e.operands[0]).text + ")",
              Strength::Primary};
    case Op::IndexIn:
      return {"index_in(" + cpp_name(e.symbol) + ", " + print(*e.operands[0]).text + ")",
              Strength::Primary};
    case Op::Random:
      return {"random_unit(graph, " + print(*e.operands[0]).text + ", " +
                  print(*e.operands[1]).text + ")",
              Strength::Primary};
    case Op::CommonNeighbours:
      return intersection(e);
    case Op::ReduceCommon:
      return {common_fold(e), Strength::Primary};
    case Op::EdgePlace:
      return {"edge_place(graph, " + print(*e.operands[0]).text + ", " +
                  print(*e.operands[1]).text + ")",
              Strength::Primary};
    case Op::Load:
      return element(e);
    case Op::TestBit:
      return {"test_bit(" + cpp_name(e.symbol) + ", " + print(*e.operands[0]).text + ")",
              Strength::Primary};
    default:
      return leaf(e);
  }
}

}  // namespace

std::string double_text(double value) {
  return value == 0 ? "0" : digits_of(value, ScalarKind::Float64);
}
std::string edge_function(const Expr& condition) {
  return "[=](EdgeIndex edge_at_hand) { return " + print(condition).text + "; }";
}
std::string expr_text(const Expr& expr) { return print(expr).text; }
std::string operand_text(const Expr& expr) { return in_brackets(print(expr), Strength::Unary); }

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
