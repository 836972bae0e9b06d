#include <charconv>

#include "compiler/ir/program/Lexer.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"

namespace vertigo::ir {

namespace {

std::string_view literal_suffix(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Int64:
      return "i64";
    case ScalarKind::UInt32:
      return "u32";
    case ScalarKind::UInt64:
      return "u64";
    case ScalarKind::Float32:
      return "f32";
    case ScalarKind::Wide64:
      return "w64";
    case ScalarKind::Vertex:
      return "v";
    default:
      return "";
  }
}

// The shortest digits that read back to the same value; a float64 always shows that it is one.
std::string print_number(double value, bool bare) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  std::string text(digits, end);
  if (bare && text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

class ExprPrinter {
 public:
  explicit ExprPrinter(const PrintOptions& options) : options_(options) {}

  void print(const Expr& expr, bool nested) {
    const bool brackets = info(expr.op).notation == Notation::Infix &&
                          (nested || (options_.locations && expr.location.line != 0));
    if (brackets) text_ += "(";
    print_node(expr);
    if (brackets) text_ += ")";
    if (options_.locations && expr.location.line != 0)
      text_ +=
          "#" + std::to_string(expr.location.line) + ":" + std::to_string(expr.location.column);
  }
  std::string take() { return std::move(text_); }

 private:
  void print_node(const Expr& expr) {
    const OpInfo& op = info(expr.op);
    if (op.notation == Notation::Infix) return print_infix(expr, op.spelling);
    if (op.notation == Notation::Function) {
      text_ += op.spelling;
      return print_arguments(expr);
    }
    print_own(expr);
  }

  void print_infix(const Expr& expr, std::string_view mark) {
    print_operand(expr, 0);
    text_ += " ";
    text_ += mark;
    text_ += " ";
    print_operand(expr, 1);
  }

  void print_operand(const Expr& expr, std::size_t which, bool nested = true) {
    if (which < expr.operands.size() && expr.operands[which])
      print(*expr.operands[which], nested);
    else
      text_ += "missing";
  }

  void print_arguments(const Expr& expr) {
    text_ += "(";
    for (std::size_t i = 0; i < expr.operands.size(); ++i) {
      if (i > 0) text_ += ", ";
      print_operand(expr, i, false);
    }
    text_ += ")";
  }

  void print_type(const Type& type) { text_ += "<" + to_string(type) + ">"; }

  void print_own(const Expr& expr) {
    switch (expr.op) {
      case Op::Literal:
        return print_literal(expr);
      case Op::Infinity:
        text_ += "inf";
        return print_type(expr.type);
      case Op::NoVertex:
        text_ += "none";
        return;
      case Op::Parameter:
      case Op::HostVariable:
      case Op::Local:
        text_ += info(expr.op).spelling;
        text_ += expr.symbol;
        return;
      case Op::BoundVertex:
        text_ += is_expression_word(expr.vertex) ? "`" + expr.vertex + "`" : expr.vertex;
        return;
      case Op::State:
        if (expr.operands.empty()) {
          text_ += expr.vertex;
        } else {
          text_ += kStateAt;
          print_arguments(expr);
        }
        text_ += "." + expr.symbol;
        return;
      case Op::Inbox:
      case Op::EdgeAttribute:
        text_ += info(expr.op).spelling;
        text_ += "(" + expr.symbol + ")";
        return;
      case Op::OutDegree:
      case Op::InDegree:
      case Op::Degree:
      case Op::VertexCount:
      case Op::EdgeCount:
        text_ += info(expr.op).spelling;
        if (expr.type != Type(kCountKind)) print_type(expr.type);
        text_ += "(" + expr.vertex + ")";
        return;
      case Op::Step:
      case Op::EdgeAtHand:
        text_ += info(expr.op).spelling;
        return;
      case Op::Cast:
        text_ += "cast";
        print_type(expr.type);
        return print_arguments(expr);
      case Op::TupleElement:
        text_ += "get<" + std::to_string(expr.index) + ">";
        return print_arguments(expr);
      case Op::Call:
      case Op::ExternCall:
      case Op::IndexIn:
      case Op::ListSize:
      case Op::ListItem:
        text_ += info(expr.op).spelling;
        text_ += " " + expr.symbol;
        return print_arguments(expr);
      case Op::Load:
      case Op::TestBit:
        return print_element(expr);
      default:
        return print_reduction(expr);
    }
  }

  void print_literal(const Expr& expr) {
    if (const auto* flag = std::get_if<bool>(&expr.value)) {
      text_ += *flag ? "true" : "false";
      return;
    }
    const ScalarKind kind = expr.type.is_scalar() ? expr.type.scalar() : ScalarKind::Int32;
    if (const auto* number = std::get_if<std::int64_t>(&expr.value))
      text_ += std::to_string(*number);
    else if (const auto* count = std::get_if<std::uint64_t>(&expr.value))
      text_ += std::to_string(*count);
    else
      text_ += print_number(std::get<double>(expr.value), kind == ScalarKind::Float64);
    text_ += literal_suffix(kind);
  }

  void print_element(const Expr& expr) {
    text_ += expr.op == Op::Load && expr.index == 1 ? "relaxed" : info(expr.op).spelling;
    if (expr.op == Op::Load) print_type(expr.type);
    text_ += " " + expr.symbol + "[";
    if (!expr.operands.empty() && expr.operands[0]) print(*expr.operands[0], false);
    text_ += "]";
  }

  // sum<float32>(u.rank for u in in(v) where ... else ...)
  void print_reduction(const Expr& expr) {
    const auto part = [&](std::size_t which, std::string_view before) {
      if (which >= expr.operands.size() || !expr.operands[which]) return;
      text_ += before;
      print(*expr.operands[which], false);
    };
    text_ += to_string(expr.reduction);
    print_type(expr.type);
    text_ += "(";
    part(0, "");
    if (text_.back() != '(') text_ += " ";
    text_ += "for " + expr.symbol + " in ";
    if (expr.op == Op::ReduceCommon) {
      part(2, "");
    } else if (expr.op == Op::ReduceVertices) {
      text_ += "vertices";
    } else {
      text_ += to_string(expr.direction);
      text_ += "(" + expr.vertex + ")";
    }
    part(1, " where ");
    if (expr.op != Op::ReduceCommon) part(2, " else ");
    text_ += ")";
  }

  const PrintOptions& options_;
  std::string text_;
};

}  // namespace

std::string print(const Expr& expr, const PrintOptions& options) {
  ExprPrinter printer(options);
  printer.print(expr, false);
  return printer.take();
}

std::string print_short(const Expr& expr) {
  constexpr std::size_t kLongest = 200;
  std::string text = print(expr);
  if (text.size() > kLongest) text.replace(kLongest, std::string::npos, " ...");
  return text;
}

}  // namespace vertigo::ir

std::string vertigo::quoted(const ir::Expr& expr) { return "'" + ir::print_short(expr) + "'"; }
