// Sums, differences and products of constants that leave their type: integers saturate, and what a
// reader multiplies in his head is another number.

#include <algorithm>
#include <map>
#include <string>

#include "compiler/check/Evaluate.h"
#include "compiler/check/Warnings.h"

namespace vertigo::compiler::check {
namespace {

using ast::Expr;
using ast::ExprKind;
using ir::Op;

bool is_arithmetic(const Expr& expr) {
  return expr.kind == ExprKind::Binary && expr.type.is_integer() &&
         (expr.op == Op::Add || expr.op == Op::Subtract || expr.op == Op::Multiply);
}

/// What integers without bounds give. Only a product of two large uint64 is more than 128 bits
/// hold: then one more than any type holds.
__int128 unbounded(Op op, __int128 a, __int128 b) {
  if (op == Op::Add) return a + b;
  if (op == Op::Subtract) return a - b;
  __int128 product = 0;
  return __builtin_mul_overflow(a, b, &product) ? highest(ast::ScalarKind::UInt64) + 1 : product;
}

class SaturatedConstants {
 public:
  explicit SaturatedConstants(diag::DiagnosticEngine& diagnostics) : diagnostics_(diagnostics) {}

  void look(const Expr& root) {
    ast::walk(root, [&](const Expr& expr) {
      if (expr.kind == ExprKind::Cast && expr.implicit) becomes_[expr.operands[0].get()] = &expr;
      if (!is_arithmetic(expr)) return;
      if (const auto found = becomes_.find(&expr); found != becomes_.end())
        for (const auto& operand : expr.operands) becomes_[operand.get()] = found->second;
      judge(expr);
    });
  }

 private:
  void judge(const Expr& expr) {
    const auto a = Evaluator().evaluate(*expr.operands[0]);
    const auto b = Evaluator().evaluate(*expr.operands[1]);
    if (!a || !b || is_endless(*expr.operands[0], *a) || is_endless(*expr.operands[1], *b)) return;
    const __int128 meant = unbounded(expr.op, a->elements[0].integer, b->elements[0].integer);
    const ast::ScalarKind kind = expr.type.elements[0];
    const __int128 held = std::clamp(meant, lowest(kind), highest(kind));
    if (meant == held) return;
    auto& report = diagnostics_.report(diag::ConstantSaturates, expr.range,
                                       ast::to_string(expr.type), written(held));
    const auto found = becomes_.find(&expr);
    if (found == becomes_.end()) return;
    const SourceRange left = expr.operands[0]->range;
    const std::string wide = ast::to_string(found->second->type);
    report.note(found->second->range, "it becomes " + wide + " only after that")
        .fix({left.begin, left.begin, left.file}, wide + "(")
        .fix({left.end, left.end, left.file}, ")");
  }

  /// `inf`, `-inf` and what has saturated before: nobody counts on from there. The largest number
  /// written in digits is one to count with.
  static bool is_endless(const Expr& expr, const Constant& value) {
    const ast::ScalarKind kind = value.elements[0].kind;
    const bool is_limit =
        value.elements[0].integer == highest(kind) ||
        (value.elements[0].integer != 0 && value.elements[0].integer == lowest(kind));
    return is_limit && !is_written(expr);
  }
  static bool is_written(const Expr& expr) {
    if (expr.kind == ExprKind::Cast || (expr.kind == ExprKind::Unary && expr.op == Op::Negate))
      return is_written(*expr.operands[0]);
    return expr.kind == ExprKind::Integer;
  }

  /// The number itself: the highest of a type would be shown as `inf`.
  static std::string written(__int128 integer) {
    return integer < 0 ? std::to_string(static_cast<std::int64_t>(integer))
                       : std::to_string(static_cast<std::uint64_t>(integer));
  }

  diag::DiagnosticEngine& diagnostics_;
  std::map<const Expr*, const Expr*> becomes_;  ///< the conversion that the source does not write
};

}  // namespace

void warn_of_saturated_constants(const ast::Program& program, diag::DiagnosticEngine& diagnostics) {
  SaturatedConstants constants(diagnostics);
  for_each_expr(program, [&](const Expr& root) { constants.look(root); });
}

}  // namespace vertigo::compiler::check
