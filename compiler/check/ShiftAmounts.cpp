// Shifts by constants: what C++ leaves open and what leaves nothing is refused where it can be
// seen.

#include "compiler/check/Evaluate.h"
#include "compiler/check/Warnings.h"

namespace vertigo::compiler::check {

void refuse_shift_amounts(const ast::Program& program, diag::DiagnosticEngine& diagnostics) {
  for_each_expr(program, [&](const ast::Expr& root) {
    ast::walk(root, [&](const ast::Expr& expr) {
      if (expr.kind != ast::ExprKind::Binary || !ir::is_shift(expr.op) || !expr.type.is_scalar())
        return;
      const auto amount = Evaluator().evaluate(*expr.operands[1]);
      if (!amount) return;
      const bool is_64 =
          expr.type.is(ast::ScalarKind::Int64) || expr.type.is(ast::ScalarKind::UInt64);
      const int last = is_64 ? 63 : 31;
      if (amount->elements[0].integer >= 0 && amount->elements[0].integer <= last) return;
      auto& report = diagnostics.report(diag::ShiftAmount, expr.operands[1]->range,
                                        ast::to_string(expr.type), last, to_string(*amount));
      const SourceRange shifted = expr.operands[0]->range;
      if (expr.operands[0]->kind == ast::ExprKind::Integer && !is_64)
        report.note("a literal is int32 where nothing else decides")
            .fix(shifted, "int64(" + diagnostics.text(shifted).str() + ")");
    });
  });
}

}  // namespace vertigo::compiler::check
