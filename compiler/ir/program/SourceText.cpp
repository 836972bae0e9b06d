#include "compiler/ir/program/SourceText.h"

#include <charconv>

#include "compiler/ir/program/Printer.h"
#include "compiler/ir/program/Spelling.h"

namespace vertigo::ir {
namespace {

std::string literal_text(const Expr& expr) {
  if (const auto* flag = std::get_if<bool>(&expr.value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&expr.value)) return std::to_string(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&expr.value)) return std::to_string(*number);
  char digits[64];
  return {digits, std::to_chars(digits, digits + sizeof digits, std::get<double>(expr.value)).ptr};
}

/// Whether the operand stands without brackets beside the sign. Programs mix bits and other
/// operators with brackets, and so does this.
bool binds_tighter(const Expr& operand, Op sign, bool is_left) {
  if (info(operand.op).notation != Notation::Infix) return operand.op != Op::Select;
  const Strength inner = info(operand.op).strength, outer = info(sign).strength;
  const auto is_plain = [](Strength strength) {
    return strength == Strength::Or || strength == Strength::And || strength == Strength::Order ||
           strength == Strength::Equality || strength == Strength::Sum ||
           strength == Strength::Product;
  };
  if (!is_plain(inner) || !is_plain(outer)) return false;
  return inner > outer || (inner == outer && is_left && !info(sign).is_comparison());
}

std::string operand_text(const Expr& expr, std::size_t which, bool brackets) {
  const std::string text = source_text(*expr.operands[which]);
  return brackets ? "(" + text + ")" : text;
}

/// What stands before a point.
std::string base_text(const Expr& expr) {
  const OpInfo& op = info(expr.op);
  const bool loose =
      op.source == Source::Infix || op.source == Source::Prefix || expr.op == Op::Select;
  return loose ? "(" + source_text(expr) + ")" : source_text(expr);
}

std::string arguments_text(const Expr& expr) {
  std::string text = "(";
  for (std::size_t i = 0; i < expr.operands.size(); ++i)
    text += (i == 0 ? "" : ", ") + source_text(*expr.operands[i]);
  return text + ")";
}

/// "sum(u.rank over in u where u.seen else 0)".
std::string reduction_text(const Expr& expr) {
  std::string text(to_string(expr.reduction));
  text += "(";
  if (expr.operands[0]) text += source_text(*expr.operands[0]) + " ";
  text += "over " + std::string(to_string(expr.direction)) + " " + expr.symbol;
  if (expr.operands[1]) text += " where " + source_text(*expr.operands[1]);
  if (expr.operands[2]) text += " else " + source_text(*expr.operands[2]);
  return text + ")";
}

std::string node_text(const Expr& expr) {
  switch (expr.op) {
    case Op::Literal:
      return literal_text(expr);
    case Op::Infinity:
      return "inf";
    case Op::NoVertex:
      return "none";
    case Op::Parameter:
    case Op::HostVariable:
    case Op::Local:
    case Op::Inbox:
    case Op::EdgeAttribute:
      return expr.symbol;
    case Op::BoundVertex:
      return expr.vertex;
    case Op::State:
      return (expr.operands.empty() ? expr.vertex : base_text(*expr.operands[0])) + "." +
             expr.symbol;
    case Op::OutDegree:
    case Op::InDegree:
    case Op::Degree:
      return expr.vertex + "." + std::string(info(expr.op).spelling);
    case Op::VertexCount:
      return "vertices";
    case Op::EdgeCount:
      return "edges";
    case Op::Step:
      return "step";
    case Op::Select:
      return operand_text(expr, 0, expr.operands[0]->op == Op::Select) + " ? " +
             operand_text(expr, 1, false) + " : " + operand_text(expr, 2, false);
    case Op::Cast:
      return to_string(expr.type) + arguments_text(expr);
    case Op::MakeTuple:
      return arguments_text(expr);
    case Op::TupleElement:
      return base_text(*expr.operands[0]) + "." + std::to_string(expr.index);
    case Op::Call:
    case Op::ExternCall:
      return expr.symbol + arguments_text(expr);
    case Op::ListSize:
      return "size(" + expr.symbol + ")";
    case Op::ListItem:
      return expr.symbol + "[" + source_text(*expr.operands[0]) + "]";
    case Op::IndexIn:
      return "index(" + source_text(*expr.operands[0]) + ", " + expr.symbol + ")";
    case Op::ReduceNeighbours:
      return reduction_text(expr);
    default:
      return print(expr);
  }
}

}  // namespace

std::string source_text(const Expr& expr) {
  const OpInfo& op = info(expr.op);
  if (op.source == Source::Infix)
    return operand_text(expr, 0, !binds_tighter(*expr.operands[0], expr.op, true)) + " " +
           std::string(op.sign) + " " +
           operand_text(expr, 1, !binds_tighter(*expr.operands[1], expr.op, false));
  if (op.source == Source::Prefix) {
    const Expr& operand = *expr.operands[0];
    const bool loose = info(operand.op).notation == Notation::Infix || operand.op == Op::Select ||
                       (operand.op == Op::Literal && literal_text(operand).starts_with("-"));
    return std::string(op.sign) + operand_text(expr, 0, loose);
  }
  if (op.source == Source::Function) return std::string(op.spelling) + arguments_text(expr);
  return node_text(expr);
}

}  // namespace vertigo::ir
