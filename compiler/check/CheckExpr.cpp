// Inference of types, operator by operator.

#include "compiler/check/Checker.h"

namespace vertigo::compiler::check {

using ir::Operands;

Type Checker::infer(ExprPtr& expr) {
  Type type = infer_node(expr);
  expr->type = type;
  return type;
}

Type Checker::infer_node(ExprPtr& expr) {
  switch (expr->kind) {
    case ExprKind::Integer:
      return Type::Form::OpenInteger;
    case ExprKind::Float:
      return Type::Form::OpenFloat;
    case ExprKind::Bool:
      return ScalarKind::Bool;
    case ExprKind::Reference:
      return infer_reference(*expr);
    case ExprKind::Member:
      return infer_member(*expr);
    case ExprKind::Unary:
      return infer_unary(*expr);
    case ExprKind::Binary:
      return infer_binary(*expr);
    case ExprKind::Conditional:
      return infer_conditional(*expr);
    case ExprKind::Call:
      return infer_call(expr);
    case ExprKind::Tuple:
      return infer_tuple(*expr);
    case ExprKind::Reduction:
      return infer_reduction(*expr);
    case ExprKind::Cast:
      break;  // made by this step only
  }
  return expr->type;
}

Type Checker::value_of(ExprPtr& expr) {
  infer(expr);
  return settle(expr);
}

void Checker::expect(ExprPtr& expr, const Type& target) {
  if (expr->kind == ExprKind::Tuple && target.is_tuple() &&
      expr->operands.size() == target.elements.size()) {
    for (std::size_t i = 0; i < target.elements.size(); ++i)
      expect(expr->operands[i], target.elements[i]);
    expr->type = target;
    return;
  }
  if (expr->kind == ExprKind::Conditional && target.is_tuple()) {
    condition(expr->operands[0], place_);
    expect(expr->operands[1], target);
    expect(expr->operands[2], target);
    expr->type = target;
    return;
  }
  infer(expr);
  convert(expr, target);
}

bool accepts(Operands operands, const Type& type) {
  switch (operands) {
    case Operands::Own:
      return false;
    case Operands::Bools:
      return type.is_bool();
    case Operands::Integers:
      return type.is_integer();
    case Operands::Signed:
      return type.is_number() && !type.is(ScalarKind::UInt32) && !type.is(ScalarKind::UInt64);
    case Operands::Numbers:
    case Operands::Floats:
      return type.is_number();
    case Operands::Ordered:
      return type.is_number() || type.is_vertex();
    case Operands::Ranked:
      return type.is_number() || type.is_vertex() || type.is_tuple();
    case Operands::Comparable:
      return type.is_number() || type.is_vertex() || type.is_tuple() || type.is_bool();
  }
  return false;
}

void Checker::report_operands(const Expr& expr, const Type& left, const Type& right) {
  const std::string written(ir::written(expr.op));
  if (expr.operands.size() != 2) {
    auto& report = diagnostics_.report(diag::Operand, expr.range, written, in_words(left));
    if (expr.op == ir::Op::Complement && left.is_bool())
      report.note("a condition is negated by '!'");
    return;
  }
  auto& report = diagnostics_.report(diag::BinaryOperands, expr.range, written, in_words(left),
                                     in_words(right));
  // What other languages mean by the signs of bit operators.
  const char* condition = expr.op == ir::Op::BitAnd   ? "&&"
                          : expr.op == ir::Op::BitOr  ? "||"
                          : expr.op == ir::Op::BitXor ? "!="
                                                      : nullptr;
  const auto is_condition = [](const Type& type) { return type.is_bool() || type.is_float(); };
  if (condition != nullptr && expr.op != ir::Op::BitXor &&
      (is_condition(left) || is_condition(right)))
    report.note("conditions are joined by '" + std::string(condition) + "', and '" + written +
                "' binds tighter than comparisons");
  if (expr.op == ir::Op::BitXor && (left.is_bool() || right.is_bool()))
    report.note("conditions are joined by '" + std::string(condition) + "', and '" + written +
                "' binds tighter than comparisons");
  // `a < b < c`
  const Expr& first = *expr.operands[0];
  if (ir::info(expr.op).is_comparison() && first.kind == ExprKind::Binary &&
      ir::info(first.op).is_comparison())
    report.note("two comparisons are joined: 'a < b && b < c'")
        .fix({first.range.end, first.range.end, first.range.file},
             " && " + diagnostics_.text(first.operands[1]->range).str());
  if (expr.op == ir::Op::BitXor && (left.is_float() || right.is_float()))
    report.note("powers are products, or 'exp(b * log(a))'");
}

Type Checker::infer_unary(Expr& expr) {
  Type type = infer(expr.operands[0]);
  if (type.is_error() || accepts(ir::info(expr.op).takes, type)) return type;
  report_operands(expr, type, type);
  return Type::Form::Error;
}

// A tuple that is written out takes the type of the tuple that it meets.
void Checker::infer_both(ExprPtr& a, ExprPtr& b) {
  bool left = a->kind == ExprKind::Tuple, right = b->kind == ExprKind::Tuple;
  if (left == right) {
    infer(a);
    infer(b);
  } else if (left) {
    expect(a, value_of(b));
  } else {
    expect(b, value_of(a));
  }
}

// `a < (b & c) < d`: of what is wrong inside, that was said.
static bool has_faulty_operand(const Expr& expr) {
  return expr.kind == ExprKind::Binary &&
         (expr.operands[0]->type.is_error() || expr.operands[1]->type.is_error());
}

Type Checker::infer_binary(Expr& expr) {
  ExprPtr& a = expr.operands[0];
  ExprPtr& b = expr.operands[1];
  const ir::OpInfo& op = ir::info(expr.op);
  if (op.takes == Operands::Bools) {
    condition(a, place_);
    condition(b, place_);
    return ScalarKind::Bool;
  }
  if (ir::is_shift(expr.op)) return infer_shift(expr);
  const bool comparison = op.is_comparison();
  if (comparison) {
    infer_both(a, b);
  } else {
    infer(a);
    infer(b);
  }
  if (a->type.is_error() || b->type.is_error())
    return comparison ? Type(ScalarKind::Bool) : Type(Type::Form::Error);

  Type left = a->type, right = b->type;
  Type common = unify(a, b);
  if (!accepts(op.takes, common)) {
    if (!common.is_error() && !has_faulty_operand(*a)) report_operands(expr, left, right);
    return comparison ? Type(ScalarKind::Bool) : Type(Type::Form::Error);
  }
  if (op.divides && ((b->kind == ExprKind::Integer && b->integer == 0) ||
                     (b->kind == ExprKind::Float && b->number == 0))) {
    diagnostics_.report(diag::DivisionByZero, b->range);
    return Type::Form::Error;
  }
  if (!comparison) return common;
  if (common.is_open()) settle_compared(a, b, common);
  return ScalarKind::Bool;
}

// Of the type of what is shifted; the amount is brought to it, which keeps what it does.
Type Checker::infer_shift(Expr& expr) {
  ExprPtr& shifted = expr.operands[0];
  ExprPtr& amount = expr.operands[1];
  infer(shifted);
  infer(amount);
  const Type type = shifted->type;
  if (type.is_error() || amount->type.is_error()) return Type::Form::Error;
  if (!type.is_integer() || !amount->type.is_integer()) {
    report_operands(expr, type, amount->type);
    return Type::Form::Error;
  }
  if (!type.is_open()) close_amount(amount, type.elements[0]);
  return type;
}

Type Checker::infer_conditional(Expr& expr) {
  condition(expr.operands[0], place_);
  infer_both(expr.operands[1], expr.operands[2]);
  Type left = expr.operands[1]->type, right = expr.operands[2]->type;
  Type common = unify(expr.operands[1], expr.operands[2]);
  if (common.form != Type::Form::Nothing) return common;
  diagnostics_.report(diag::BinaryOperands, expr.range, "? :", in_words(left), in_words(right));
  return Type::Form::Error;
}

Type Checker::infer_tuple(Expr& expr) {
  Type type(Type::Form::Value);
  bool good = expr.operands.size() <= 4;
  if (!good) diagnostics_.report(diag::TupleShape, expr.range);
  for (ExprPtr& operand : expr.operands) {
    Type element = value_of(operand);
    if (element.is_error()) {
      good = false;
    } else if (!element.is_scalar()) {
      diagnostics_.report(diag::TupleShape, operand->range);
      good = false;
    } else {
      type.elements.push_back(element.elements[0]);
    }
  }
  return good ? type : Type(Type::Form::Error);
}

void Checker::condition(ExprPtr& expr, Place place) {
  Restore restore(place_, place);
  Type type = value_of(expr);
  if (!type.is_error() && !type.is_bool())
    diagnostics_.report(diag::ConditionNotBool, expr->range, in_words(type));
}

}  // namespace vertigo::compiler::check
